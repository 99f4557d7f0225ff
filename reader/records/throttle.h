// PERF_RECORD_THROTTLE and PERF_RECORD_UNTHROTTLE: an event was switched off for being too frequent, and on again.
#pragma once

#include <cstdint>
#include <optional>

#include "reader/record.h"

namespace perfsift::reader {

struct Throttle {
  std::uint64_t time = 0;
  std::uint64_t id = 0;         // of the event
  std::uint64_t stream_id = 0;  // of this one instance of it
};

// Of a THROTTLE or an UNTHROTTLE; record.header.type tells which.
std::optional<Throttle> decode_throttle(const Record& record);

}  // namespace perfsift::reader
