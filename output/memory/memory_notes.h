// Sentences about the limits of figures on memory accesses.
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
  std::vector<std::string> left_out;  // accesses that the events do not sample
  std::string_view arch, cpu_id;      // empty: unknown
  bool has_physical_addresses = false;
  bool knows_nodes = false;  // whether the nodes of physical addresses are known
  bool in_perf = false;      // in a dlfilter, which does not know the machine and its nodes

  // Adds the facts of an event of the recording.
  void add(const reader::Event& event, const reader::Features& features);
};
NotedRecording noted(const reader::Recording& recording, const analysis::MemoryNodes& nodes);
// The facts that hold for both recordings, and the events of both recordings.
NotedRecording joined(NotedRecording one, const NotedRecording& other);

// One line for each limit of the measurement that matters for shares, latencies or nodes: the threshold of the event,
// events with different periods, the meaning of a latency on this processor, unknown nodes, and unknown values.
std::vector<std::string> memory_notes(const NotedRecording& recording, const analysis::MemoryReport& report);
// One line for each limit that matters for cache lines.
std::vector<std::string> sharing_notes(const NotedRecording& recording, const analysis::MemoryReport& report,
                                       const analysis::CacheLines& lines);

}  // namespace perfsift::output
