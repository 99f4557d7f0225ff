// Which off-CPU data a recording lacks, and how to record it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "analysis/offcpu/recording_feed.h"
#include "analysis/offcpu/scheduler.h"

namespace perfsift::offcpu {

// Command lines that record enough data.
inline constexpr const char* record_tracepoints =
    "perf record -a -g -e sched:sched_switch -e sched:sched_waking -- sleep 5";
inline constexpr const char* record_switch_events = "perf record -g --switch-events ...";
inline constexpr const char* record_process =
    "perf record -g --switch-events -e sched:sched_switch -e sched:sched_waking -p PID";

// The off-CPU data of a recording, before any filter.
struct Evidence {
  const FeedSources& sources;
  const SchedulerCounts& counts;
  std::uint64_t whole_intervals = 0;
};

// Why a recording cannot be analyzed, and what to record instead; nothing where it can.
std::optional<std::string> why_nothing_can_be_said(const Evidence& evidence);

// A message that switches are missing, and how to record them; nothing where no switch is missing, or so many that
// why_nothing_can_be_said() says so.
std::optional<std::string> missing_switches(const Evidence& evidence);

}  // namespace perfsift::offcpu
