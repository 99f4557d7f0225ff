// Which thread ran on which CPU, and when: what viewers draw as slices of CPUs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reader/recording.h"

namespace perfsift::offcpu {

// A stretch during which a thread was on a CPU.
struct CpuSlice {
  std::int32_t cpu = -1;
  std::int32_t pid = -1, tid = -1;
  std::string comm;                   // at its start
  std::uint64_t from = 0, until = 0;  // nanoseconds
};

// Whether the recording has sched:sched_switch, or the switch records of perf record --switch-events.
bool has_switches(const reader::Recording& recording);

// The slices come from sched:sched_switch, or from the switch records of perf record --switch-events; empty if the
// recording has neither. They are sorted by CPU and time, without the idle thread. A slice that begins before the first
// switch of its CPU, or ends behind the last one, is left out. `recording`: no stream.
std::vector<CpuSlice> cpu_slices(reader::Recording& recording);

}  // namespace perfsift::offcpu
