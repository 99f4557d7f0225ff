// What a recording does not tell about time off the CPU, and how to record it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "analysis/offcpu/recording_feed.h"
#include "analysis/offcpu/scheduler.h"

namespace perfsift::offcpu {

// The command lines that record enough.
inline constexpr const char* record_tracepoints =
    "perf record -a -g -e sched:sched_switch -e sched:sched_waking -- sleep 5";
inline constexpr const char* record_switch_events = "perf record -g --switch-events ...";
inline constexpr const char* record_process =
    "perf record -g --switch-events -e sched:sched_switch -e sched:sched_waking -p PID";

// What was found in a recording, before any filter.
struct Evidence {
  const FeedSources& sources;
  const SchedulerCounts& counts;
  std::uint64_t whole_intervals = 0;
};

// Why nothing can be said of a recording, and what to record instead; nothing where something can be said.
std::optional<std::string> why_nothing_can_be_said(const Evidence& evidence);

// That switches are missing, and what to record so that they are there; nothing where none is missing.
std::optional<std::string> missing_switches(const Evidence& evidence);

}  // namespace perfsift::offcpu
