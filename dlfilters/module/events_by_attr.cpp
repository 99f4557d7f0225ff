#include "dlfilters/module/events_by_attr.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"

namespace perfsift::dlfilter {

const reader::Event& EventsByAttr::of(const Sample& sample, const void* attr) {
  if (attr == nullptr) throw Error("perf does not say what was recorded (it has no attr())");
  const char* const name = sample.event != nullptr ? sample.event : "";
  const auto [found, is_new] = by_attr_.try_emplace(attr);
  Entry& entry = found->second;
  if (!is_new && entry.event.name == name && std::memcmp(entry.attr.data(), attr, attr_bytes) == 0) return entry.event;

  std::memcpy(entry.attr.data(), attr, attr_bytes);
  // The size in the struct is the size that perf record knew.
  constexpr std::size_t size_offset = 4;
  auto covered = entry.attr;
  std::uint32_t size = 0;
  std::memcpy(&size, covered.data() + size_offset, sizeof size);
  size = std::min(size, static_cast<std::uint32_t>(attr_bytes));
  std::memcpy(covered.data() + size_offset, &size, sizeof size);

  const auto decoded = reader::decode_event_attr(covered, ByteOrder::native);
  entry.event.attr = decoded.value_or(reader::EventAttr{});
  entry.event.name = name;
  entry.event.index = events_++;
  return entry.event;
}

}  // namespace perfsift::dlfilter
