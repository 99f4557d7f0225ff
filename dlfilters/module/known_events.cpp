#include "dlfilters/module/known_events.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"

namespace perfsift::dlfilter {

const reader::Event& KnownEvents::of(const Sample& sample, const void* attr) {
  if (attr == nullptr) throw Error("perf does not tell what was recorded (it has no attr())");
  const char* const name = sample.event != nullptr ? sample.event : "";
  const auto [found, is_new] = by_attr_.try_emplace(attr);
  Known& known = found->second;
  if (!is_new && known.event.name == name && std::memcmp(known.attr.data(), attr, attr_bytes) == 0) return known.event;

  std::memcpy(known.attr.data(), attr, attr_bytes);
  // The size in it is that of whoever recorded.
  constexpr std::size_t size_offset = 4;
  auto covered = known.attr;
  std::uint32_t size = 0;
  std::memcpy(&size, covered.data() + size_offset, sizeof size);
  size = std::min(size, static_cast<std::uint32_t>(attr_bytes));
  std::memcpy(covered.data() + size_offset, &size, sizeof size);

  const auto decoded = reader::decode_event_attr(covered, ByteOrder::native);
  known.event.attr = decoded.value_or(reader::EventAttr{});
  known.event.name = name;
  known.event.index = static_cast<std::uint32_t>(by_attr_.size() - 1);
  return known.event;
}

}  // namespace perfsift::dlfilter
