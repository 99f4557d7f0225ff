#include "reader/records/header_records.h"

#include <algorithm>

#include "reader/lists.h"

namespace perfsift::reader {

// The ids follow the attr as large as the writer knew it, not as large as we do.
std::optional<HeaderAttr> decode_header_attr(const Record& record) {
  const auto attr = decode_event_attr(record.payload, record.order);
  if (!attr) return std::nullopt;
  auto in = record.reader();
  in.skip(attr->size);
  return HeaderAttr{.attr = *attr, .ids = read_u64s(in, in.remaining() / 8)};
}

std::optional<HeaderEventType> decode_header_event_type(const Record& record) {
  auto in = record.reader();
  const HeaderEventType type{.id = in.u64(), .name = in.cstring()};
  return in.ok() ? std::optional(type) : std::nullopt;
}

// Four bytes of padding follow, but not in records of perf before 3.0.
std::optional<HeaderTracingData> decode_header_tracing_data(const Record& record) {
  auto in = record.reader();
  HeaderTracingData tracing{.size = in.u32(), .data = record.trailing};
  if (tracing.data.empty()) tracing.data = in.bytes(std::min<std::size_t>(tracing.size, in.remaining()));
  return in.ok() ? std::optional(tracing) : std::nullopt;
}

std::optional<HeaderFeature> decode_header_feature(const Record& record) {
  auto in = record.reader();
  const HeaderFeature feature{.number = in.u64(), .data = in.rest()};
  return in.ok() ? std::optional(feature) : std::nullopt;
}

}  // namespace perfsift::reader
