// What perf writes into the header of a recording about the run: events, command line, clocks, tracepoints.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "reader/features/features.h"
#include "reader/writer/header_content.h"

namespace perfsift::record {

struct Run {
  std::vector<reader::EventEntry> events;  // in this machine's byte order
  std::vector<std::string> event_names;    // one for each event
  std::vector<reader::EventGroup> groups;
  std::vector<std::string> command_line;  // the path of the program first
};

// Adds VERSION ("perfsift 1.0.0"), CMDLINE, EVENT_DESC, GROUP_DESC, BRANCH_STACK, CLOCKID and CLOCK_DATA. The two clock
// features are there if the first event has a clock of its own (use_clockid); CLOCK_DATA is read now, so that times of
// the event clock can be converted to wall-clock times.
void add_run(reader::Features& features, const Run& run);

struct TracepointName {
  std::string system, name;  // "sched", "sched_switch"
  auto operator<=>(const TracepointName&) const = default;
};

// TRACING_DATA for these tracepoints: their formats, the layout of ring buffers, the kernel's texts and thread names. A
// tracepoint that tracefs does not have is left out. Empty without tracepoints. `tracefs`: for example
// /sys/kernel/tracing. The time depends on the number of tracepoints only.
std::vector<std::byte> tracing_data_of(std::vector<TracepointName> tracepoints, const std::string& tracefs);

}  // namespace perfsift::record
