// Maps that are rings: BPF programs write payloads into them, and a process reads them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/owned.h"

namespace perfsift::record {

enum class RingMapKind : std::uint8_t {
  perf_event_array,  // BPF_MAP_TYPE_PERF_EVENT_ARRAY: an element for each CPU takes a perf event with its ring
  ring_buffer,       // BPF_MAP_TYPE_RINGBUF: one ring for all CPUs
};

// "perf event array", "ring buffer".
const char* name_of(RingMapKind kind);

struct RingMapInfo {
  std::uint32_t id = 0;
  RingMapKind kind = RingMapKind::perf_event_array;
  std::string name;               // at most 15 characters; may hold any bytes; may be empty
  std::uint32_t max_entries = 0;  // elements of a perf event array; bytes of a ring buffer
};

// An open map. Perf events that are stored in elements stay there until the descriptor is closed.
struct RingMap {
  FileDescriptor file;
  RingMapInfo info;
};

// `text`: "id:N", a path in the BPF file system (anything with a slash), or the name of a map. Throws UsageError if
// there is no such map, several have the name, or the map is of another type; Error if the kernel refuses.
RingMap open_ring_map(const std::string& text);
// The map of a descriptor that the caller keeps. Throws as above.
RingMap open_ring_map(int descriptor);

// All maps of these types, ascending by id. Throws Error if the kernel refuses.
std::vector<RingMapInfo> ring_maps();

}  // namespace perfsift::record
