// Stacks in the format of perf script, leaf first, from Linux 4.19 to 6.12 and the libraries of several distributions.
#include "analysis/offcpu/wait_kinds.h"

#include <string>

#include <gtest/gtest.h>

namespace perfsift::offcpu {
namespace {

using Symbols = std::vector<std::string_view>;

std::uint64_t wait_of(const Symbols& kernel, const Symbols& program) {
  std::vector<FrameMeaning> of_kernel, of_program;
  for (const std::string_view name : kernel) of_kernel.push_back(meaning_of(name, true));
  for (const std::string_view name : program) of_program.push_back(meaning_of(name, false));
  return wait_of_frames(of_kernel, [&] { return std::span<const FrameMeaning>(of_program); });
}

// The words of a stack, in the order of their table.
std::string words_of(const Symbols& kernel, const Symbols& program = {"main"}) {
  const std::uint64_t kinds = wait_of(kernel, program);
  std::string text;
  for (const filter::Word& word : filter::wait_words()) {
    if ((kinds & word.bits) != 0) text.append(text.empty() ? "" : " ").append(word.name);
  }
  return text;
}

const Symbols in_futex = {"__schedule", "schedule",        "futex_wait_queue", "futex_wait",
                          "do_futex",   "__x64_sys_futex", "do_syscall_64",    "entry_SYSCALL_64_after_hwframe"};

TEST(WaitKinds, AreToldByTheFramesOfTheKernel) {
  EXPECT_EQ(words_of({"__schedule", "schedule", "do_nanosleep", "hrtimer_nanosleep", "common_nsleep_timens",
                      "__x64_sys_clock_nanosleep", "do_syscall_64"}),
            "sleep");
  EXPECT_EQ(words_of({"__schedule", "schedule", "schedule_hrtimeout_range_clock", "ep_poll", "do_epoll_wait",
                      "__x64_sys_epoll_wait"}),
            "poll");
  EXPECT_EQ(words_of({"__schedule", "schedule", "schedule_hrtimeout_range_clock", "poll_schedule_timeout.constprop.0",
                      "do_sys_poll"}),
            "poll");
  EXPECT_EQ(words_of({"__schedule", "schedule", "pipe_read", "vfs_read", "ksys_read"}), "pipe");
  EXPECT_EQ(words_of({"__schedule", "schedule", "anon_pipe_read", "vfs_read", "ksys_read"}), "pipe") << "of 6.15";
  EXPECT_EQ(words_of({"__schedule", "schedule", "io_schedule", "folio_wait_bit_common", "filemap_get_pages",
                      "filemap_read", "ext4_file_read_iter", "vfs_read"}),
            "io");
  EXPECT_EQ(words_of({"__schedule", "schedule", "schedule_timeout", "inet_csk_accept", "inet_accept", "do_accept"}),
            "socket");
  EXPECT_EQ(words_of({"__schedule", "schedule", "schedule_timeout", "unix_stream_read_generic", "unix_stream_recvmsg",
                      "sock_recvmsg"}),
            "socket");
  EXPECT_EQ(words_of({"__schedule", "schedule", "do_wait", "kernel_wait4", "__do_sys_wait4"}), "child");
  EXPECT_EQ(words_of({"__schedule", "schedule", "sigsuspend", "__x64_sys_rt_sigsuspend"}), "signal");
  EXPECT_EQ(words_of({"__schedule", "schedule", "__x64_sys_pause", "do_syscall_64"}), "signal");
  EXPECT_EQ(words_of({"__schedule", "schedule", "schedule_timeout", "wait_woken", "n_tty_read", "file_tty_read"}),
            "tty");
  EXPECT_EQ(words_of({"__schedule", "schedule", "schedule_preempt_disabled", "__mutex_lock.constprop.0", "pipe_write",
                      "vfs_write"}),
            "lock")
      << "of the pipe";
  EXPECT_EQ(words_of({"__schedule", "schedule", "ptrace_stop", "get_signal"}), "stopped");
  EXPECT_EQ(words_of({"__schedule", "schedule", "a_driver_of_ours", "vfs_read"}), "other");
}

TEST(WaitKinds, OfAPageFaultAreThatAndWhatItWaitsFor) {
  EXPECT_EQ(words_of({"__schedule", "schedule", "io_schedule", "folio_wait_bit_common", "filemap_fault", "__do_fault",
                      "do_fault", "__handle_mm_fault", "handle_mm_fault", "do_user_addr_fault", "exc_page_fault"}),
            "page_fault io");
  EXPECT_EQ(words_of({"__schedule", "schedule", "schedule_preempt_disabled", "rwsem_down_read_slowpath", "down_read",
                      "do_user_addr_fault", "exc_page_fault", "asm_exc_page_fault"}),
            "lock page_fault");
}

TEST(WaitKinds, OfACompletionAreWhatItIsOf) {
  EXPECT_EQ(words_of({"__schedule", "schedule", "schedule_timeout", "io_schedule_timeout", "__wait_for_common",
                      "submit_bio_wait", "blkdev_issue_flush"}),
            "io");
  EXPECT_EQ(words_of({"__schedule", "schedule", "schedule_timeout", "__wait_for_common", "__flush_work.isra.0"}),
            "completion");
}

TEST(WaitKinds, OfAFutexAreToldByTheFramesOfTheProgram) {
  EXPECT_EQ(words_of(in_futex, {"__GI___lll_lock_wait", "handle_request"}), "lock futex");
  EXPECT_EQ(words_of(in_futex, {"__lll_lock_wait_private", "_int_free", "free"}), "lock futex");
  EXPECT_EQ(words_of(in_futex, {"__lll_lock_wait", "___pthread_mutex_lock", "main"}), "lock futex");
  EXPECT_EQ(words_of(in_futex, {"__futex_abstimed_wait_common", "pthread_cond_wait@@GLIBC_2.3.2", "worker"}),
            "condition futex");
  EXPECT_EQ(words_of(in_futex, {"__futex_abstimed_wait_common", "__new_sem_wait_slow64.constprop.0", "worker"}),
            "semaphore futex");
  EXPECT_EQ(words_of(in_futex, {"__futex_abstimed_wait_common", "__pthread_clockjoin_ex", "std::thread::join"}),
            "join futex");
  EXPECT_EQ(words_of(in_futex, {"__lll_lock_wait", "__pthread_mutex_cond_lock", "pthread_cond_wait"}), "lock futex")
      << "it was signalled, and wants the mutex back";
  EXPECT_EQ(words_of(in_futex, {"__futex_abstimed_wait_common", "worker"}), "futex") << "any of several";
  EXPECT_EQ(words_of(in_futex, {""}), "futex");
  EXPECT_EQ(words_of({"__schedule", "schedule", "rt_mutex_slowlock.constprop.0", "futex_lock_pi", "do_futex"}), "lock");
  EXPECT_EQ(words_of({"__schedule", "schedule", "futex_lock_pi", "do_futex"}), "lock futex");
}

TEST(WaitKinds, KnowTheRuntimesOfLanguages) {
  EXPECT_EQ(words_of(in_futex,
                     {"__futex_abstimed_wait_common", "pthread_cond_timedwait", "take_gil", "PyEval_RestoreThread"}),
            "lock condition futex");
  EXPECT_EQ(words_of(in_futex, {"runtime.futex", "runtime.futexsleep", "runtime.notesleep", "runtime.stopm"}),
            "park futex");
  EXPECT_EQ(words_of(in_futex, {"runtime.futex", "runtime.futexsleep", "runtime.lock2", "runtime.mallocgc"}),
            "lock futex");
  EXPECT_EQ(words_of(in_futex, {"syscall", "std::sys::sync::mutex::futex::Mutex::lock_contended", "app::run"}),
            "lock futex");
  EXPECT_EQ(words_of(in_futex, {"syscall", "std::thread::park", "app::run"}), "park futex");
  EXPECT_EQ(words_of(in_futex, {"__futex_abstimed_wait_common", "pthread_cond_wait", "Unsafe_Park", "[unknown]"}),
            "condition futex");
  EXPECT_EQ(words_of(in_futex, {"__futex_abstimed_wait_common", "pthread_cond_timedwait", "ObjectMonitor::enter"}),
            "lock condition futex");
}

TEST(WaitKinds, OfThreadsOfTheKernelThatDoNothingAreIdle) {
  EXPECT_EQ(words_of({"__schedule", "schedule", "worker_thread", "kthread", "ret_from_fork"}, {}), "idle");
  EXPECT_EQ(words_of({"__schedule", "schedule", "schedule_timeout", "rcu_gp_fqs_loop", "rcu_gp_kthread", "kthread",
                      "ret_from_fork", "ret_from_fork_asm"},
                     {}),
            "idle");
  EXPECT_EQ(words_of({"__schedule", "schedule", "io_schedule", "bit_wait_io", "__wait_on_bit", "wb_do_writeback",
                      "process_one_work", "worker_thread", "kthread", "ret_from_fork"},
                     {}),
            "io");
  EXPECT_EQ(words_of({"__schedule", "schedule", "a_driver_of_ours", "process_one_work", "worker_thread", "kthread",
                      "ret_from_fork"},
                     {}),
            "other");
}

TEST(WaitKinds, AreToldByTheProgramWhereTheKernelHasNoNames) {
  EXPECT_EQ(words_of({}, {"__lll_lock_wait", "main"}), "lock futex");
  EXPECT_EQ(words_of({"", ""}, {"epoll_wait", "main"}), "poll");
  EXPECT_EQ(words_of({}, {"__GI___clock_nanosleep", "__nanosleep", "main"}), "sleep");
  EXPECT_EQ(words_of({}, {"read", "main"}), "other");
  EXPECT_EQ(words_of({}, {}), "");
}

TEST(WaitKinds, AreNotToldByAStackFromBeforeTheSwitch) {
  class None : public StackSymbols {
    void for_each_symbol(StackId, bool of_kernel, const EachSymbol& each) override {
      if (of_kernel) each("do_nanosleep");
    }
  } symbols;
  WaitKinds waits(symbols);
  Interval interval{.state = TaskState(TaskState::sleeping), .stack = 3, .origin = StackOrigin::at_switch};
  EXPECT_EQ(waits.of(interval), filter::wait_sleep);
  interval.origin = StackOrigin::last_sample;
  EXPECT_EQ(waits.of(interval), 0u);
  interval.state = TaskState(TaskState::preempted);
  EXPECT_EQ(waits.of(interval), filter::wait_preempted);
  interval.state = TaskState(TaskState::running);
  EXPECT_EQ(waits.of(interval), filter::wait_preempted);
  interval.state = TaskState(TaskState::not_known);
  interval.stack = no_stack;
  EXPECT_EQ(waits.of(interval), 0u);
}

// __schedule() in exit_to_user_mode_loop() has the same thread state as in sched_yield(): 0.
TEST(WaitKinds, AYieldIsToldFromAPreemptionByItsSystemCall) {
  class Two : public StackSymbols {
    void for_each_symbol(StackId stack, bool of_kernel, const EachSymbol& each) override {
      if (!of_kernel) return;
      for (const char* name : {"__schedule", "schedule"}) each(name);
      each(stack == 1 ? "do_sched_yield" : "irqentry_exit_to_user_mode");
    }
  } symbols;
  WaitKinds waits(symbols);
  Interval interval{.state = TaskState(TaskState::running), .stack = 1, .origin = StackOrigin::at_switch};
  EXPECT_EQ(waits.of(interval), filter::wait_yield);
  interval.stack = 2;
  EXPECT_EQ(waits.of(interval), filter::wait_preempted);
  EXPECT_EQ(waits.of_stack(2), filter::wait_other);
}

TEST(WaitKinds, AreNamedByTheWordThatTellsMost) {
  EXPECT_EQ(filter::wait_name(filter::wait_futex | filter::wait_lock), "lock");
  EXPECT_EQ(filter::wait_name(filter::wait_io | filter::wait_page_fault), "page_fault");
  EXPECT_EQ(filter::wait_name(0), "");
}

}  // namespace
}  // namespace perfsift::offcpu
