// A stretch during which a thread was not running.
#pragma once

#include <cstdint>

#include "analysis/offcpu/sched_event.h"

namespace perfsift::offcpu {

// A thread, as an index into Scheduler::threads(). A tid that is used again is another thread.
using ThreadNumber = std::uint32_t;
inline constexpr ThreadNumber no_thread = ~ThreadNumber{0};

struct Waker {
  ThreadNumber thread = no_thread;
  std::int32_t cpu = -1;
  StackId stack = no_stack;
};

struct Interval {
  ThreadNumber thread = no_thread;
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  // These three are all of it.
  std::uint64_t blocked = 0;    // until it was woken
  std::uint64_t run_queue = 0;  // ready to run
  std::uint64_t unknown = 0;    // records were lost in it: it may have run meanwhile
  TaskState state;
  StackId stack = no_stack;  // it left on
  StackOrigin origin = StackOrigin::none;
  std::uint64_t cgroup = 0;  // the thread was in when it left; 0: not recorded
  std::int32_t cpu_left = -1;
  std::int32_t cpu_entered = -1;
  Waker waker;
  ThreadNumber successor = no_thread;  // who got the CPU it left
  bool woken = false;                  // where it blocked: its wakeup was seen, so that run_queue is known
  bool began_before = false;           // it was off its CPU when the recording began
  bool goes_on = false;                // it still is when the recording ends

  std::uint64_t length() const { return end - start; }
  // Both ends were seen, and everything between them.
  bool is_whole() const { return !began_before && !goes_on && unknown == 0; }
  // Time in the run queue was told apart from time it was blocked.
  bool run_queue_is_known() const { return woken || state.is_runnable(); }
};

// A stretch during which a thread was on a CPU.
struct Slice {
  ThreadNumber thread = no_thread;
  std::int32_t cpu = -1;
  std::uint64_t start = 0;
  std::uint64_t end = 0;
};

}  // namespace perfsift::offcpu
