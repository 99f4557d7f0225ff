// PERF_RECORD_EVENT_UPDATE: something about an event that its attr cannot say.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "reader/record.h"
#include "reader/records/cpu_map.h"

namespace perfsift::reader {

struct EventUpdate {
  // PERF_EVENT_UPDATE__*
  enum class Kind : std::uint64_t { unit, scale, name, cpus };

  Kind kind = Kind::unit;  // newer writers may have more: then only the id is known
  std::uint64_t id = 0;    // of the event
  std::string_view text;   // unit, name; in the record
  double scale = 1.0;      // scale
  CpuMap cpus;             // cpus
};

std::optional<EventUpdate> decode_event_update(const Record& record);

}  // namespace perfsift::reader
