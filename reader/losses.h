// Counts what a recording says it has missed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

#include "reader/event_table.h"
#include "reader/read_stats.h"

namespace perfsift::reader {

// Not thread-safe.
class LossCounter {
 public:
  // Takes LOST, LOST_SAMPLES, READ, THROTTLE, UNTHROTTLE and AUX; ignores all other types. False when the record is
  // malformed.
  bool count(const Record& record, const EventTable& events, ReadStats& stats);

 private:
  bool open_throttle(const Record& record, const EventTable& events, ReadStats& stats);
  bool close_throttle(const Record& record, ReadStats& stats);

  // The newest open throttling of each instance of an event (id, stream id): its index in ReadStats::throttled.
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::size_t> open_;
};

}  // namespace perfsift::reader
