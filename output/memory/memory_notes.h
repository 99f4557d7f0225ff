// Sentences about what the figures on memory accesses leave out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/memory/cache_lines.h"
#include "analysis/memory/memory_report.h"
#include "analysis/samples/memory_nodes.h"
#include "reader/recording.h"

namespace perfsift::output {

// The recording that the notes are about.
struct NotedRecording {
  std::vector<std::string> left_out;  // which accesses the events do not sample
  std::string_view arch, cpu_id;      // empty: unknown
  bool has_physical_addresses = false;
  bool knows_nodes = false;  // of physical addresses
  bool in_perf = false;      // a dlfilter knows neither the machine nor its nodes

  // An event of the recording.
  void add(const reader::Event& event, const reader::Features& features);
};
NotedRecording noted(const reader::Recording& recording, const analysis::MemoryNodes& nodes);
// The facts that hold for both recordings, and the events of both.
NotedRecording joined(NotedRecording one, const NotedRecording& other);

// One line for each limit of the measurement that changes how shares, latencies and nodes are to be read: the threshold
// of the event, events with periods of their own, what a latency is on this processor, unknown nodes and values.
std::vector<std::string> memory_notes(const NotedRecording& recording, const analysis::MemoryReport& report);
// One line for each limit that changes how cache lines are to be read.
std::vector<std::string> sharing_notes(const NotedRecording& recording, const analysis::MemoryReport& report,
                                       const analysis::CacheLines& lines);

}  // namespace perfsift::output
