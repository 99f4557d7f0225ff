#include "reader/records/header_records.h"

#include <algorithm>
#include <bit>

#include "reader/format/counted_list.h"

namespace perfsift::reader {

// The ids follow the attr in the size that the writer knew.
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

std::optional<EventUpdate> decode_event_update(const Record& record) {
  auto in = record.reader();
  EventUpdate update{.kind = static_cast<EventUpdate::Kind>(in.u64()), .id = in.u64()};
  switch (update.kind) {
    case EventUpdate::Kind::unit:
    case EventUpdate::Kind::name:
      update.text = in.cstring();
      break;
    case EventUpdate::Kind::scale:
      update.scale = std::bit_cast<double>(in.u64());
      break;
    case EventUpdate::Kind::cpus:
      update.cpus = read_cpu_map(in);
      break;
  }
  return in.ok() ? std::optional(std::move(update)) : std::nullopt;
}

namespace {

// CPU and thread numbers have 64 bits in this record.
std::int32_t narrow(std::uint64_t number) { return static_cast<std::int32_t>(number); }

}  // namespace

std::optional<IdIndex> decode_id_index(const Record& record) {
  auto in = record.reader();
  IdIndex index;
  index.entries = read_list(in, in.u64(), [](ByteReader& entry) {
    return IdIndex::Entry{
        .id = entry.u64(), .index = entry.u64(), .cpu = narrow(entry.u64()), .tid = narrow(entry.u64())};
  });
  // struct id_index_entry_2, once for each entry above, since perf supports guests.
  if (in.remaining() >= 16 * index.entries.size()) {
    for (auto& entry : index.entries) {
      entry.machine_pid = narrow(in.u64());
      entry.vcpu = narrow(in.u64());
    }
  }
  return in.ok() ? std::optional(std::move(index)) : std::nullopt;
}

std::optional<TimeConv> decode_time_conv(const Record& record) {
  auto in = record.reader();
  TimeConv conversion{.shift = in.u64(), .multiplier = in.u64(), .zero = in.u64()};
  if (in.remaining() != 0) {
    conversion.short_counter = TimeConv::ShortCounter{
        .cycles = in.u64(), .mask = in.u64(), .has_time_zero = in.u8() != 0, .has_short_time = in.u8() != 0};
  }
  return in.ok() ? std::optional(conversion) : std::nullopt;
}

}  // namespace perfsift::reader
