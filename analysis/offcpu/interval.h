// A stretch during which a thread was not running.
#pragma once

#include <cstdint>

#include "analysis/offcpu/sched_event.h"

namespace perfsift::offcpu {

// A thread, as an index into Scheduler::threads(). A reused tid is another thread.
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
  // The sum of the next three is the length.
  std::uint64_t blocked = 0;    // until the wakeup
  std::uint64_t run_queue = 0;  // ready to run
  std::uint64_t unknown = 0;    // records are missing: the thread may have run meanwhile
  TaskState state;
  StackId stack = no_stack;  // at the switch off the CPU
  StackOrigin origin = StackOrigin::none;
  std::uint64_t cgroup = 0;  // of the thread when it left; 0: not recorded
  std::int32_t cpu_left = -1;
  std::int32_t cpu_entered = -1;
  Waker waker;
  ThreadNumber successor = no_thread;  // the thread that got the CPU
  bool woken = false;                  // for blocked threads: the wakeup was seen, so run_queue is known
  bool began_before = false;           // the thread was off its CPU when the recording began
  bool goes_on = false;                // the thread is still off its CPU when the recording ends
  // A part of a sum that was measured in the kernel: so many intervals, each with the mean length of the sum. Where
  // single intervals are listed, sums are left out.
  bool summed = false;
  std::uint64_t count = 1;

  std::uint64_t length() const { return end - start; }
  // Whether the interval is complete: both ends were seen, and no records between them were lost.
  bool is_whole() const { return !began_before && !goes_on && unknown == 0; }
  // Whether run-queue time and blocked time are known separately.
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
