// Scheduler events from any source, as plain numbers: the input of the Scheduler.
#pragma once

#include <cstdint>

#include "analysis/offcpu/task_state.h"

namespace perfsift::offcpu {

// The number of a stack, which the feed of the Scheduler keeps; 0: no stack.
using StackId = std::uint32_t;
inline constexpr StackId no_stack = 0;

// The event that a stack was recorded with.
enum class StackOrigin : std::uint8_t {
  none,
  at_switch,    // the switch itself
  last_sample,  // the thread's last sample before the switch: SWITCH records have no stack
};

// The rank of a source where two sources report the same switches.
enum class Source : std::uint8_t {
  leading,     // contradictions with it mean lost events
  confirming,  // ignored where the leading source has reported the same
};

// Times are nanoseconds of the event clock. tid 0 is the idle thread of the CPU. A cpu of -1 was not recorded.

struct SwitchOut {
  std::uint64_t time = 0;
  std::int32_t cpu = -1;
  std::int32_t pid = -1;  // of the thread's process; -1: unknown
  std::int32_t tid = -1;
  std::uint32_t name = 0;    // a number for the thread's name; 0: unknown
  std::uint64_t cgroup = 0;  // the cgroup's id; 0: unknown
  TaskState state;
  StackId stack = no_stack;
  StackOrigin origin = StackOrigin::none;
  Source source = Source::leading;
};

struct SwitchIn {
  std::uint64_t time = 0;
  std::int32_t cpu = -1;
  std::int32_t pid = -1;
  std::int32_t tid = -1;
  std::uint32_t name = 0;
  std::uint64_t queued = 0;  // nanoseconds in the run queue; 0: not measured
  Source source = Source::leading;
};

struct Wakeup {
  std::uint64_t time = 0;
  std::int32_t cpu = -1;  // the waker's CPU
  std::int32_t pid = -1;
  std::int32_t tid = -1;
  std::int32_t waker_pid = -1;
  std::int32_t waker_tid = -1;  // 0: an interrupt on an idle CPU; -1: unknown
  std::uint32_t waker_name = 0;
  StackId stack = no_stack;  // of the waker
  bool first = false;        // wakeup of a new thread (sched_wakeup_new)
};

// A thread was created.
struct Birth {
  std::uint64_t time = 0;
  std::int32_t pid = -1;
  std::int32_t tid = -1;
  std::uint32_t name = 0;
};

// An exec by a thread other than the thread-group leader gives this thread the leader's tid (de_thread()).
struct Renumbering {
  std::uint64_t time = 0;
  std::int32_t old_tid = -1;
  std::int32_t tid = -1;
};

// Waits of one thread that were measured in the kernel: one interval, or the sum of `count` of them whose blocked and
// run-queue times are in the same bucket each, at most an eighth of its values wide. See
// reader/format/measured_waits.h.
struct MeasuredWaits {
  std::uint64_t time = 0;  // of the reading
  std::uint64_t last = 0;  // the end of the last interval
  std::int32_t pid = -1;
  std::int32_t tid = -1;
  std::uint64_t thread_start = 0;  // distinguishes threads with the same tid
  std::uint32_t name = 0;
  TaskState state;
  StackId stack = no_stack;
  StackOrigin origin = StackOrigin::none;
  std::uint64_t count = 0;  // 0: only time on the CPU
  std::uint64_t blocked = 0, run_queue = 0;
  std::uint64_t longest = 0, longest_run_queue = 0;
  std::uint64_t ran = 0;      // on the CPU, before the intervals
  std::uint64_t unknown = 0;  // before the intervals: the thread ran or waited
  bool woken = false, began_before = false, goes_on = false;

  // Of one interval that was sent by itself.
  bool single = false;
  std::int32_t cpu_left = -1, cpu_entered = -1;
  std::uint64_t cgroup = 0;
  std::int32_t waker_pid = -1, waker_tid = -1, waker_cpu = -1;
  std::uint32_t waker_name = 0;
  StackId waker_stack = no_stack;
};

}  // namespace perfsift::offcpu
