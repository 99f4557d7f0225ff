#include "analysis/offcpu/idle_waits.h"

#include <algorithm>
#include <sstream>

#include "base/glob.h"

namespace perfsift::offcpu {

const char* const IdleWaits::built_in =
    R"(# Waits that --ignore-idle leaves out, as `perfsift offcpu --show-idle-list` prints them.
# A line is a rule: a wait is idle if each name on it is that of a frame. * and ? are wildcards.

# A program waits for events, connections, signals, input of a terminal, its children, or a time to come.
ep_poll
do_epoll_wait
do_sys_poll
do_select
inet_csk_accept
unix_accept
do_sigtimedwait
sigsuspend
*_sys_pause
n_tty_read
do_wait
hrtimer_nanosleep
io_cqring_wait
inotify_read
signalfd_read*
timerfd_read*
eventfd_read
do_syslog

# A thread of a pool waits for the next task: the function that waits, and the pool's own.
futex_wait* *ThreadPool*
futex_wait* *thread_pool*
futex_wait* *threadpool*
futex_wait* *worker_loop*
futex_wait* runtime.mPark
futex_wait* runtime.notesleep
futex_wait* tokio::runtime::*park*

# Threads of the kernel wait for work.
worker_thread
io_wqe_worker
io_wq_worker
rescuer_thread
smpboot_thread_fn
kthread_worker_fn
rcu_gp_kthread
rcu_nocb_*
rcu_tasks_*
rcu_boost_kthread
kswapd
kcompactd
ksm_scan_thread
khugepaged
oom_reaper
kauditd_thread
kthreadd
kjournald2
xfsaild
irq_thread
devtmpfsd
watchdogd
hwrng_fillfn
)";

IdleWaits::IdleWaits(const std::string& list, Names& names) : names_(names) {
  std::istringstream lines(list);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line.substr(0, line.find('#')));
    Rule rule;
    for (std::string name; words >> name;) rule.push_back(name);
    if (!rule.empty()) rules_.push_back(std::move(rule));
  }
}

bool IdleWaits::is_idle(const Interval& interval) {
  if (interval.stack == no_stack || interval.state.is_runnable()) return false;
  if (answers_.size() <= interval.stack) answers_.resize(interval.stack + std::size_t{1});
  Answer& answer = answers_[interval.stack];
  if (answer == Answer::not_yet) answer = find(interval.stack) ? Answer::yes : Answer::no;
  return answer == Answer::yes;
}

bool IdleWaits::find(StackId id) {
  const NamedStack& stack = names_.stack(id);
  const auto has = [&](const std::string& name) {
    const auto is_it = [&](analysis::FrameId frame) { return matches_glob(name, names_.frames().text(frame)); };
    return std::ranges::any_of(stack.kernel, is_it) || std::ranges::any_of(stack.user, is_it);
  };
  return std::ranges::any_of(rules_, [&](const Rule& rule) { return std::ranges::all_of(rule, has); });
}

}  // namespace perfsift::offcpu
