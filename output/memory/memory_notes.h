// What the figures about memory accesses leave out, in sentences.
#pragma once

#include <string>
#include <vector>

#include "analysis/memory/cache_lines.h"
#include "analysis/memory/memory_nodes.h"
#include "analysis/memory/memory_report.h"
#include "reader/recording.h"

namespace perfsift::output {

// One line for each limit of the measurement that changes how shares, latencies and nodes are to be read: the threshold
// of the event, events with periods of their own, what a latency is on this processor, unknown nodes and values.
std::vector<std::string> memory_notes(const reader::Recording& recording, const analysis::MemoryReport& report,
                                      const analysis::MemoryNodes& nodes);
// The same for cache lines.
std::vector<std::string> sharing_notes(const reader::Recording& recording, const analysis::MemoryReport& report,
                                       const analysis::CacheLines& lines);

}  // namespace perfsift::output
