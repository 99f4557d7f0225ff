// PERF_RECORD_READ: the counters of a thread that ended (`perf record --stat`).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "reader/record.h"
#include "reader/sample.h"

namespace perfsift::reader {

struct Read {
  std::int32_t pid = -1;
  std::int32_t tid = -1;
  std::uint64_t time_enabled = 0;  // 0 where read_format does not have it
  std::uint64_t time_running = 0;
  std::vector<ReadValue> counters;  // one, or all of a group
};

// `read_format` is that of the event the record belongs to: it decides the layout.
std::optional<Read> decode_read(const Record& record, std::uint64_t read_format);

}  // namespace perfsift::reader
