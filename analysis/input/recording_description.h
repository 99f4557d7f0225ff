// Where a recording comes from: the machine, the program that made it, and when.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reader/recording.h"

namespace perfsift::analysis {

// An event, and how often it takes a sample.
struct EventSetting {
  std::string name;
  std::uint64_t every = 0;    // samples per second, or occurrences between two samples
  bool is_frequency = false;  // samples per second
  // How stacks were recorded, in the words of perf's --call-graph: "fp", "lbr", "dwarf,8192"; "none" without stacks;
  // empty: not known.
  std::string stacks;
  auto operator<=>(const EventSetting&) const = default;
};

// Empty texts and absent numbers were not recorded. The texts come from the file: they are not escaped.
struct RecordingDescription {
  std::string path;
  std::string hostname;
  std::string kernel;   // the release, as `uname -r` prints it
  std::string machine;  // the architecture, as `uname -m` prints it
  std::string cpu;      // the model, as perf describes it
  std::optional<std::uint32_t> cpus_online;
  std::string perf_version;
  std::vector<std::string> command;  // the command line of perf record; the path of perf comes first
  std::vector<EventSetting> events;
  // Nanoseconds since 1970 at the recording's time 0: wall-clock time is this plus the time of a sample. From
  // CLOCK_DATA, which perf record -k writes.
  std::optional<std::int64_t> wall_clock_offset;
  // Switches between threads were recorded, by a tracepoint or by perf record --switch-events.
  bool has_switches = false;
};

RecordingDescription describe(const reader::Recording& recording);

}  // namespace perfsift::analysis
