// TRACING_DATA: the twin of read_tracing_data() in reader/tracepoint/tracing_data.h.
#pragma once

#include <cstddef>
#include <vector>

#include "reader/tracepoint.h"
#include "reader/tracepoint/tracing_data.h"

namespace perfsift::reader {

// Writes version 0.6, whatever data.version says; `big_endian` follows from data.order. Formats whose system is
// "ftrace" become those of ftrace itself. The layout is that of tools/perf/util/trace-event-info.c.
std::vector<std::byte> encode_tracing_data(const TracingData& data);

// Of tracepoints that no kernel has. Empty: none.
std::vector<std::byte> encode_made_tracepoints(const std::vector<TracepointDescription>& descriptions);

}  // namespace perfsift::reader
