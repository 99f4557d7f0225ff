// TRACING_DATA: the twin of read_tracing_data() in reader/tracepoint/tracing_data.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reader/tracepoint.h"
#include "reader/tracepoint/tracing_data.h"

namespace perfsift::reader {

// Writes version 0.6, whatever data.version says; `big_endian` follows from data.order. Formats whose system is
// "ftrace" become those of ftrace itself. The layout is that of tools/perf/util/trace-event-info.c.
std::vector<std::byte> encode_tracing_data(const TracingData& data);

// The text of the file `format` of a tracepoint that no kernel has. `fields`: a line for each, behind the 8 bytes of
// those that all tracepoints have. `print`: the text of printf(). `arguments`: of it, each with a comma in front.
std::string made_format(std::string_view name, std::uint16_t id, std::string_view fields, std::string_view print,
                        std::string_view arguments);

// Of tracepoints that no kernel has. Empty: none.
std::vector<std::byte> encode_made_tracepoints(const std::vector<TracepointDescription>& descriptions);

}  // namespace perfsift::reader
