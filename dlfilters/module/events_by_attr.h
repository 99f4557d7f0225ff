// The events of the recording, as far as samples of them have come.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "dlfilters/abi.h"
#include "reader/format/event.h"

namespace perfsift::dlfilter {

// An event has an index of its own, also where perf has put its attr into memory of another event. Not thread-safe.
// An event is valid until the next one is asked for.
class EventsByAttr {
 public:
  // `attr`: struct perf_event_attr as perf holds it.
  const reader::Event& of(const Sample& sample, const void* attr);

 private:
  // The part of the struct that every perf with dlfilters has; nothing behind it is read: PERF_ATTR_SIZE_VER5.
  static constexpr std::size_t attr_bytes = 112;
  struct Entry {
    std::array<std::byte, attr_bytes> attr{};
    reader::Event event;
  };

  std::unordered_map<const void*, Entry> by_attr_;
  std::uint32_t events_ = 0;
};

}  // namespace perfsift::dlfilter
