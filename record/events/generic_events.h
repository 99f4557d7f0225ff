// The kernel's generic events by name: of hardware, software and caches.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perfsift::record {

struct GenericEvent {
  std::uint32_t type = 0;
  std::uint64_t config = 0;
};

// "cycles", "faults", "L1-dcache-load-misses". Words of cache events are read without case, other names as they are.
std::optional<GenericEvent> generic_event(std::string_view name);
// "r01c2" gives 0x1c2: the number of a raw event.
std::optional<std::uint64_t> raw_event(std::string_view name);
// The names that perf list shows, to find the nearest.
std::vector<std::string> generic_event_names();

}  // namespace perfsift::record
