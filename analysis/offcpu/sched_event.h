// What the scheduler did, as the interval machine takes it, wherever it comes from: plain numbers and no more.
#pragma once

#include <cstdint>

#include "analysis/offcpu/task_state.h"

namespace perfsift::offcpu {

// A stack that whoever feeds the machine keeps; 0 is none.
using StackId = std::uint32_t;
inline constexpr StackId no_stack = 0;

// Which event a stack was recorded with.
enum class StackOrigin : std::uint8_t {
  none,
  at_switch,    // of the switch itself
  last_sample,  // of the last sample of the thread before it: SWITCH records have none
};

// How much a source is to be believed when there is another one that tells the same.
enum class Source : std::uint8_t {
  leading,     // what contradicts it was lost
  confirming,  // it is ignored where the leading one has told already
};

// Times are nanoseconds of the event clock. tid 0 is the idle thread of the CPU. A cpu of -1 was not recorded.

struct SwitchOut {
  std::uint64_t time = 0;
  std::int32_t cpu = -1;
  std::int32_t pid = -1;  // of its process; -1 where that is not known
  std::int32_t tid = -1;
  std::uint32_t name = 0;    // whatever number stands for its name; 0 where that is not known
  std::uint64_t cgroup = 0;  // the number of its cgroup; 0 where that is not known
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
  std::uint64_t queued = 0;  // how long it is known to have been in a run queue; 0: that was not measured
  Source source = Source::leading;
};

struct Wakeup {
  std::uint64_t time = 0;
  std::int32_t cpu = -1;  // where the waker ran
  std::int32_t pid = -1;
  std::int32_t tid = -1;
  std::int32_t waker_pid = -1;
  std::int32_t waker_tid = -1;  // 0: an interrupt on an idle CPU; -1: not known
  std::uint32_t waker_name = 0;
  StackId stack = no_stack;  // of the waker
  bool first = false;        // of a thread that was just made (sched_wakeup_new)
};

// A thread was made.
struct Birth {
  std::uint64_t time = 0;
  std::int32_t pid = -1;
  std::int32_t tid = -1;
  std::uint32_t name = 0;
};

// An exec by a thread that does not lead its process gives it the number of the one that does (de_thread()).
struct Renumbering {
  std::uint64_t time = 0;
  std::int32_t old_tid = -1;
  std::int32_t tid = -1;
};

}  // namespace perfsift::offcpu
