#include "analysis/offcpu/wait_kinds.h"

#include <algorithm>
#include <span>
#include <string_view>

namespace perfsift::offcpu {
namespace {

using namespace filter;  // NOLINT(google-build-using-namespace): the names of waits

// A function, and the kinds of a wait in it. `*` stands for any text.
struct Rule {
  std::string_view name;
  std::uint32_t kinds;
};

bool matches(std::string_view pattern, std::string_view name) {
  std::size_t star = std::string_view::npos, resumed = 0, p = 0, n = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resumed = n;
    } else if (p < pattern.size() && pattern[p] == name[n]) {
      ++p, ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++resumed;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

std::uint32_t kinds_of(std::string_view name, std::span<const Rule> rules) {
  const auto found = std::ranges::find_if(rules, [&](const Rule& rule) { return matches(rule.name, name); });
  return found == rules.end() ? 0 : found->kinds;
}

// --- the kernel's frames ---

// Functions of Linux 4.14 to 6.18 in which threads wait. The first match counts.
constexpr Rule kernel_rules[] = {
    {"futex_lock_pi*", wait_lock | wait_futex},
    {"__futex_lock_pi*", wait_lock | wait_futex},
    {"futex_*", wait_futex},
    {"__futex_wait*", wait_futex},
    {"do_futex", wait_futex},

    {"__mutex_lock*", wait_lock},
    {"mutex_lock*", wait_lock},
    {"__ww_mutex_lock*", wait_lock},
    {"ww_mutex_lock*", wait_lock},
    {"rwsem_down_*", wait_lock},
    {"down_read*", wait_lock},
    {"down_write*", wait_lock},
    {"__down_*", wait_lock},
    {"down", wait_lock},
    {"__down", wait_lock},
    {"down_interruptible", wait_lock},
    {"down_killable", wait_lock},
    {"down_timeout", wait_lock},
    {"rt_mutex_*", wait_lock},
    {"__rt_mutex_*", wait_lock},
    {"rtlock_slowlock*", wait_lock},
    {"rt_spin_lock*", wait_lock},
    {"rt_read_lock*", wait_lock},
    {"rt_write_lock*", wait_lock},
    {"rwbase_*", wait_lock},
    {"__rwbase_*", wait_lock},
    {"percpu_rwsem_wait", wait_lock},
    {"percpu_down_write", wait_lock},
    {"__percpu_down_read", wait_lock},
    {"__lock_sock", wait_lock},
    {"locks_lock_inode_wait", wait_lock},
    {"flock_lock_inode_wait", wait_lock},
    {"posix_lock_inode_wait", wait_lock},
    {"do_lock_file_wait", wait_lock},
    {"fcntl_setlk*", wait_lock},

    {"handle_userfault", wait_page_fault},
    {"io_schedule*", wait_io},
    {"bit_wait_io*", wait_io},
    {"folio_wait_*", wait_io},
    {"wait_on_page_*", wait_io},
    {"__wait_on_buffer", wait_io},
    {"submit_bio_wait", wait_io},
    {"blk_execute_rq", wait_io},
    {"blk_mq_get_tag", wait_io},
    {"rq_qos_wait", wait_io},
    {"wbt_wait", wait_io},
    {"balance_dirty_pages*", wait_io},
    {"congestion_wait*", wait_io},
    {"reclaim_throttle", wait_io},
    {"jbd2_log_wait_commit", wait_io},
    {"wait_transaction_locked", wait_io},
    {"wait_transaction_switching", wait_io},
    {"add_transaction_credits", wait_io},
    {"start_this_handle", wait_io},
    {"wait_current_trans", wait_io},
    {"btrfs_commit_transaction*", wait_io},
    {"btrfs_wait_*", wait_io},
    {"xlog_wait*", wait_io},
    {"xlog_grant_head_wait", wait_io},
    {"xfs_log_force*", wait_io},
    {"xfs_buf_iowait", wait_io},
    {"__xfs_log_force*", wait_io},
    {"nfs_wait_*", wait_io},
    {"rpc_wait_bit_killable", wait_io},
    {"cifs_*", wait_io},
    {"wait_for_response", wait_io},
    {"request_wait_answer", wait_io},
    {"__fuse_request_send", wait_io},
    {"p9_client_rpc", wait_io},
    {"wb_wait_for_completion", wait_io},
    {"sync_inodes_sb", wait_io},

    {"do_nanosleep", wait_sleep},
    {"hrtimer_nanosleep", wait_sleep},
    {"alarm_timer_nsleep*", wait_sleep},
    {"common_nsleep*", wait_sleep},
    {"msleep*", wait_sleep},
    {"usleep_range*", wait_sleep},

    {"ep_poll", wait_poll},
    {"do_epoll_*", wait_poll},
    {"do_poll", wait_poll},
    {"do_sys_poll", wait_poll},
    {"do_select", wait_poll},
    {"core_sys_select", wait_poll},
    {"io_cqring_*", wait_poll},
    {"__io_cqring_*", wait_poll},
    {"read_events", wait_poll},
    {"do_io_getevents", wait_poll},

    {"pipe_*", wait_pipe},
    {"anon_pipe_*", wait_pipe},
    {"fifo_*", wait_pipe},
    {"wait_for_partner", wait_pipe},
    {"splice_from_pipe*", wait_pipe},
    {"ipipe_prep*", wait_pipe},
    {"opipe_prep*", wait_pipe},

    {"inet_csk_*", wait_socket},
    {"inet_accept", wait_socket},
    {"__inet_stream_connect", wait_socket},
    {"inet_stream_connect", wait_socket},
    {"inet_wait_for_connect", wait_socket},
    {"unix_*", wait_socket},
    {"__unix_*", wait_socket},
    {"tcp_*", wait_socket},
    {"udp_*", wait_socket},
    {"udpv6_*", wait_socket},
    {"raw_recvmsg", wait_socket},
    {"sctp_*", wait_socket},
    {"mptcp_*", wait_socket},
    {"netlink_*", wait_socket},
    {"packet_*", wait_socket},
    {"vsock_*", wait_socket},
    {"__vsock_*", wait_socket},
    {"sk_wait_data", wait_socket},
    {"sk_stream_wait_*", wait_socket},
    {"__skb_wait_for_more_packets", wait_socket},
    {"__skb_recv_*", wait_socket},
    {"skb_recv_datagram", wait_socket},
    {"sock_*", wait_socket},
    {"__sock_*", wait_socket},

    {"n_tty_*", wait_tty},
    {"tty_*", wait_tty},
    {"do_wait", wait_child},
    {"__do_wait", wait_child},
    {"kernel_wait4", wait_child},
    {"kernel_waitid*", wait_child},
    {"wait_for_vfork_done", wait_child},
    {"zap_pid_ns_processes", wait_child},
    {"do_sigtimedwait", wait_signal},
    {"sigsuspend", wait_signal},
    {"*_sys_pause", wait_signal},
    {"signalfd_*", wait_signal},
    {"eventfd_*", wait_event},
    {"timerfd_*", wait_event},
    {"inotify_read", wait_event},
    {"fanotify_*", wait_event},
    {"userfaultfd_*", wait_event},
    {"do_msgrcv", wait_message},
    {"do_msgsnd", wait_message},
    {"wq_sleep", wait_message},
    {"do_mq_*", wait_message},
    {"__do_semtimedop", wait_semaphore},
    {"do_semtimedop", wait_semaphore},
    {"do_syslog", wait_event},
    {"do_signal_stop", wait_stopped},
    {"ptrace_stop", wait_stopped},
    {"do_jobctl_trap", wait_stopped},
    {"do_freezer_trap", wait_stopped},
    {"__refrigerator", wait_stopped},
};

// Functions that count only where no other frame says more: a disk signals a completion too.
constexpr Rule weak_kernel_rules[] = {
    {"wait_for_completion*", wait_completion},
    {"__wait_for_common", wait_completion},
    {"synchronize_*", wait_completion},
    {"__wait_rcu_gp", wait_completion},
    {"rcu_barrier*", wait_completion},
    {"__flush_work*", wait_completion},
    {"flush_work*", wait_completion},
    {"kthread_stop", wait_completion},
    {"kthread_park", wait_completion},
    {"stop_one_cpu", wait_completion},
    {"stop_two_cpus", wait_completion},
    {"wait_rcu_exp_gp", wait_completion},
    {"do_exit", wait_exit},
    {"do_task_dead", wait_exit},
};

// x86, arm64, and functions called on all architectures.
constexpr Rule page_faults[] = {
    {"exc_page_fault", wait_page_fault},    {"do_user_addr_fault", wait_page_fault},
    {"do_page_fault", wait_page_fault},     {"__do_page_fault", wait_page_fault},
    {"handle_mm_fault", wait_page_fault},   {"__handle_mm_fault", wait_page_fault},
    {"do_mem_abort", wait_page_fault},      {"do_translation_fault", wait_page_fault},
    {"faultin_page*", wait_page_fault},     {"filemap_fault", wait_page_fault},
    {"do_anonymous_page", wait_page_fault},
};

// Removes suffixes that compilers append to variants of a function: __mutex_lock.constprop.0.
std::string_view without_suffix(std::string_view name) { return name.substr(0, name.find('.')); }

FrameMeaning meaning_in_kernel(std::string_view symbol) {
  const std::string_view name = without_suffix(symbol);
  return {.kinds = kinds_of(name, kernel_rules),
          .weak = kinds_of(name, weak_kernel_rules),
          .around = kinds_of(name, page_faults),
          .is_named = !name.empty(),
          .begins_kernel_thread = name == "kthread" || name.starts_with("ret_from_fork"),
          .works = name == "process_one_work"};
}

std::uint64_t wait_in_kernel(std::span<const FrameMeaning> frames) {
  std::uint64_t kinds = 0, weak = 0, fault = 0;
  for (const FrameMeaning& frame : frames) {
    if (kinds == 0) kinds = frame.kinds;
    if (weak == 0) weak = frame.weak;
    fault |= frame.around;
  }
  return (kinds != 0 || fault != 0 ? kinds : weak) | fault;
}

// --- the program's frames ---

// Functions in which libraries and language runtimes wait, without leading underscores.
constexpr Rule user_rules[] = {
    {"lll_lock_wait*", wait_lock},
    {"lll_timedlock*", wait_lock},
    {"lll_clocklock*", wait_lock},
    {"pthread_mutex_*", wait_lock},
    {"pthread_rwlock_*", wait_lock},
    {"pthread_once*", wait_lock},
    {"mtx_lock", wait_lock},
    {"mtx_timedlock", wait_lock},
    {"malloc_mutex_lock_slow", wait_lock},
    {"je_malloc_mutex_lock_slow", wait_lock},
    {"runtime.lock2", wait_lock},
    {"pthread_cond_*", wait_condition},
    {"cnd_wait", wait_condition},
    {"cnd_timedwait", wait_condition},
    {"std::condition_variable*", wait_condition},
    {"*::Condvar::wait*", wait_condition},
    {"*CondVar::Wait*", wait_condition},
    {"new_sem_wait*", wait_semaphore},
    {"old_sem_wait*", wait_semaphore},
    {"sem_wait*", wait_semaphore},
    {"sem_timedwait*", wait_semaphore},
    {"sem_clockwait*", wait_semaphore},
    {"pthread_barrier_wait*", wait_barrier},
    {"gomp_barrier_wait*", wait_barrier},
    {"gomp_team_barrier_wait*", wait_barrier},
    {"kmp_*barrier*", wait_barrier},
    {"pthread_join*", wait_join},
    {"pthread_clockjoin*", wait_join},
    {"pthread_timedjoin*", wait_join},
    {"thrd_join", wait_join},
    {"std::thread::join", wait_join},
    {"std::thread::park*", wait_park},
    {"*Parker::park*", wait_park},
    {"tokio::runtime::*park*", wait_park},
    {"parking_lot_core::parking_lot::park*", wait_park},
    {"crossbeam*park*", wait_park},
    {"rayon_core::sleep::*", wait_park},
    {"runtime.mPark", wait_park},
    {"runtime.notesleep", wait_park},
    {"runtime.notetsleep*", wait_park},
    {"runtime.stopm", wait_park},
    {"Unsafe_Park", wait_park},
};

// Locks that are built on the functions above, or on a futex.
constexpr Rule user_locks[] = {
    {"take_gil", wait_lock},
    {"PyThread_acquire_lock*", wait_lock},
    {"PyMutex_Lock*", wait_lock},
    {"*Mutex::lock*", wait_lock},
    {"*Mutex::Lock*", wait_lock},
    {"*Mutex::ReaderLock*", wait_lock},
    {"*RawMutex::lock*", wait_lock},
    {"*RwLock::*", wait_lock},
    {"*RawRwLock::lock*", wait_lock},
    {"*SharedMutex*::lock*", wait_lock},
    {"std::mutex::lock", wait_lock},
    {"g_mutex_lock*", wait_lock},
    {"g_rec_mutex_lock*", wait_lock},
    {"uv_mutex_lock", wait_lock},
    {"ObjectMonitor::enter*", wait_lock},
    {"ObjectMonitor::EnterI", wait_lock},
    {"ObjectSynchronizer::enter*", wait_lock},
    {"Monitor::lock*", wait_lock},
    {"sync.(*Mutex).*", wait_lock},
    {"*SpinLock::SlowLock*", wait_lock},
};

// System calls, for stacks whose kernel frames are missing or have no names.
constexpr Rule user_calls[] = {
    {"nanosleep", wait_sleep},   {"clock_nanosleep*", wait_sleep},
    {"usleep", wait_sleep},      {"epoll_wait*", wait_poll},
    {"epoll_pwait*", wait_poll}, {"poll", wait_poll},
    {"ppoll*", wait_poll},       {"select", wait_poll},
    {"select64", wait_poll},     {"pselect*", wait_poll},
    {"accept", wait_socket},     {"accept4", wait_socket},
    {"recv", wait_socket},       {"recvfrom", wait_socket},
    {"recvmsg", wait_socket},    {"recvmmsg*", wait_socket},
    {"send", wait_socket},       {"sendto", wait_socket},
    {"sendmsg", wait_socket},    {"sendmmsg*", wait_socket},
    {"connect", wait_socket},    {"wait4*", wait_child},
    {"waitpid", wait_child},     {"waitid", wait_child},
    {"sigwait*", wait_signal},   {"sigtimedwait*", wait_signal},
    {"sigsuspend", wait_signal}, {"pause", wait_signal},
    {"fsync", wait_io},          {"fdatasync", wait_io},
    {"syncfs", wait_io},         {"msync", wait_io},
    {"flock", wait_lock},        {"lockf*", wait_lock},
    {"semop", wait_semaphore},   {"semtimedop*", wait_semaphore},
    {"msgrcv", wait_message},    {"mq_timedreceive*", wait_message},
};

// The plain name of glibc's variants: __GI___lll_lock_wait, ___pthread_mutex_lock, pthread_cond_wait@@GLIBC_2.3.2.
std::string_view plain_name(std::string_view name) {
  if (name.starts_with("__GI_")) name.remove_prefix(5);
  name.remove_prefix(std::min(name.find_first_not_of('_'), name.size()));
  if (name.starts_with("libc_")) name.remove_prefix(5);
  return name.substr(0, name.find('@'));
}

FrameMeaning meaning_in_program(std::string_view symbol) {
  const std::string_view name = plain_name(symbol);
  return {.kinds = kinds_of(name, user_rules),
          .weak = kinds_of(name, user_calls),
          .around = kinds_of(name, user_locks),
          .is_named = !name.empty()};
}

// The number of frames, from the leaf, that may belong to a wait: callers further up may have any name.
constexpr std::size_t most_layers = 8;
constexpr std::size_t most_layers_of_call = 3;
// How many frames above a condition variable a lock built on it can be.
constexpr std::size_t most_layers_of_lock = 4;

std::uint64_t wait_in_program(std::span<const FrameMeaning> frames) {
  std::uint64_t kinds = 0;
  std::size_t last = most_layers;
  for (std::size_t i = 0; i < std::min(frames.size(), last); ++i) {
    if (frames[i].around != 0) return kinds | frames[i].around;
    if (kinds != 0 || frames[i].kinds == 0) continue;
    kinds = frames[i].kinds;
    if ((kinds & wait_lock) != 0) return kinds;
    last = i + 1 + most_layers_of_lock;
  }
  return kinds;
}

std::uint64_t call_of_program(std::span<const FrameMeaning> frames) {
  for (const FrameMeaning& frame : frames.first(std::min(frames.size(), most_layers_of_call))) {
    if (frame.weak != 0) return frame.weak;
  }
  return 0;
}

}  // namespace

FrameMeaning meaning_of(std::string_view symbol, bool of_kernel) {
  return of_kernel ? meaning_in_kernel(symbol) : meaning_in_program(symbol);
}

std::uint64_t wait_of_frames(std::span<const FrameMeaning> kernel,
                             const std::function<std::span<const FrameMeaning>()>& program) {
  const std::uint64_t in_kernel = wait_in_kernel(kernel);
  if (in_kernel != 0 && (in_kernel & wait_futex) == 0) return in_kernel;
  const std::span<const FrameMeaning> user = program();
  if (in_kernel != 0) return in_kernel | wait_in_program(user);
  if (kernel.empty() && user.empty()) return 0;
  if (user.empty() && std::ranges::any_of(kernel, &FrameMeaning::begins_kernel_thread)) {
    return std::ranges::any_of(kernel, &FrameMeaning::works) ? wait_other : wait_idle;
  }
  if (std::ranges::any_of(kernel, &FrameMeaning::is_named)) return wait_other;
  if (const std::uint64_t kinds = wait_in_program(user); kinds != 0) return kinds | wait_futex;
  const std::uint64_t call = call_of_program(user);
  return call != 0 ? call : wait_other;
}

std::uint64_t WaitKinds::of(const Interval& interval) {
  const TaskState state = interval.state;
  if (state.is_runnable()) {
    const bool may_yield = state == TaskState(TaskState::running) && interval.origin == StackOrigin::at_switch;
    return may_yield && is_yield(interval.stack) ? wait_yield : wait_preempted;
  }
  if (state == TaskState(TaskState::created)) return wait_new;
  // The stack of an earlier sample does not show why the thread left.
  if (interval.origin == StackOrigin::last_sample) return 0;
  return of_stack(interval.stack);
}

std::uint32_t& WaitKinds::known_of(StackId stack) {
  if (known_.size() <= stack) known_.resize(std::max<std::size_t>(stack + std::size_t{1}, known_.size() * 2));
  return known_[stack];
}

std::uint64_t WaitKinds::of_stack(StackId stack) {
  if (stack == no_stack) return 0;
  std::uint32_t& known = known_of(stack);
  if ((known & looked_at) == 0) known |= looked_at | static_cast<std::uint32_t>(find(stack));
  return known & ~(looked_at | looked_for_yield | yields);
}

void WaitKinds::learn(StackId stack, std::uint64_t kinds) {
  constexpr std::uint64_t of_state = wait_preempted | wait_yield | wait_new;
  std::uint32_t& known = known_of(stack);
  if ((kinds & (wait_preempted | wait_yield)) != 0) known |= looked_for_yield;
  if ((kinds & wait_yield) != 0) known |= yields;
  if ((kinds & ~of_state) != 0) known |= looked_at | static_cast<std::uint32_t>(kinds & ~of_state);
}

// A thread that is preempted on the return to user space has the same state as a thread that calls sched_yield().
bool WaitKinds::is_yield(StackId stack) {
  if (stack == no_stack) return false;
  std::uint32_t& known = known_of(stack);
  if ((known & looked_for_yield) == 0) {
    known |= looked_for_yield;
    symbols_.for_each_symbol(stack, true, [&](std::string_view name) {
      if (name == "do_sched_yield" || name == "yield" || name == "yield_to") known |= yields;
    });
  }
  return (known & yields) != 0;
}

std::uint64_t WaitKinds::find(StackId stack) {
  std::vector<FrameMeaning> kernel, user;
  const auto append = [&](std::vector<FrameMeaning>& frames, bool of_kernel) {
    symbols_.for_each_symbol(stack, of_kernel,
                             [&](std::string_view name) { frames.push_back(meaning(name, of_kernel)); });
    return std::span<const FrameMeaning>(frames);
  };
  return wait_of_frames(append(kernel, true), [&] { return append(user, false); });
}

const FrameMeaning& WaitKinds::meaning(std::string_view name, bool of_kernel) {
  const auto [known, is_new] = meanings_[of_kernel ? 1 : 0].try_emplace({name.data(), name.size()});
  if (is_new) known->second = meaning_of(name, of_kernel);
  return known->second;
}

void WaitKinds::forget_stacks() {
  known_.clear();
  for (auto& meanings : meanings_) meanings.clear();
}

}  // namespace perfsift::offcpu
