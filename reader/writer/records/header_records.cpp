#include "reader/writer/records/header_records.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <span>

namespace perfsift::reader {

namespace {

constexpr std::size_t most_list_bytes = 65'000;  // leaves room for what is beside a list

std::uint64_t widened(std::int32_t number) { return static_cast<std::uint64_t>(std::int64_t{number}); }

// struct perf_record_cpu_map_data with cpu_map_entries. False if a number or the count exceeds 16 bits.
bool put_cpu_map(ByteWriter& out, const CpuMap& map) {
  constexpr std::uint16_t list_of_cpus = 0;  // PERF_CPU_MAP__CPUS
  const auto fits = [](std::int32_t cpu) { return cpu >= -1 && cpu < std::numeric_limits<std::uint16_t>::max(); };
  if (map.cpus.size() > most_list_bytes / 2 || !std::ranges::all_of(map.cpus, fits)) return false;
  out.u16(list_of_cpus).u16(static_cast<std::uint16_t>(map.cpus.size()));
  for (const std::int32_t cpu : map.cpus) out.u16(static_cast<std::uint16_t>(cpu));
  out.align();
  return true;
}

// {count, entries, the second parts of all entries}: struct perf_record_id_index.
std::vector<std::byte> id_index_record(std::span<const IdIndex::Entry> entries, ByteOrder order) {
  ByteWriter out(order);
  out.u64(entries.size());
  for (const auto& entry : entries) out.u64(entry.id).u64(entry.index).u64(widened(entry.cpu)).u64(widened(entry.tid));
  const auto is_of_guest = [](const IdIndex::Entry& entry) { return entry.machine_pid != 0; };
  if (std::ranges::any_of(entries, is_of_guest)) {
    for (const auto& entry : entries) out.u64(widened(entry.machine_pid)).u64(widened(entry.vcpu));
  }
  return encoded_record(RecordType::id_index, out, order);
}

}  // namespace

std::vector<std::byte> encode_header_attr(const HeaderAttr& header, ByteOrder order) {
  if (header.ids.size() > most_list_bytes / 8) return {};
  ByteWriter out(order);
  out.bytes(encode_event_attr(header.attr, header.attr.size != 0 ? header.attr.size : known_attr_size, order));
  for (const std::uint64_t id : header.ids) out.u64(id);
  return encoded_record(RecordType::header_attr, out, order);
}

std::vector<std::byte> encode_header_feature(const HeaderFeature& feature, ByteOrder order) {
  ByteWriter out(order);
  out.u64(feature.number).bytes(feature.data).align();
  return encoded_record(RecordType::header_feature, out, order);
}

std::vector<std::byte> encode_header_tracing_data(const HeaderTracingData& tracing, ByteOrder order) {
  ByteWriter out(order);
  out.u32(tracing.size).zeros(4);
  return encoded_record(RecordType::header_tracing_data, out, order);
}

std::vector<std::byte> encode_event_update(const EventUpdate& update, ByteOrder order) {
  ByteWriter out(order);
  out.u64(static_cast<std::uint64_t>(update.kind)).u64(update.id);
  switch (update.kind) {
    case EventUpdate::Kind::unit:
    case EventUpdate::Kind::name:
      put_name(out, update.text);
      break;
    case EventUpdate::Kind::scale:
      out.u64(std::bit_cast<std::uint64_t>(update.scale));
      break;
    case EventUpdate::Kind::cpus:
      if (!put_cpu_map(out, update.cpus)) return {};
      break;
  }
  return encoded_record(RecordType::event_update, out, order);
}

std::vector<std::byte> encode_id_index(const IdIndex& index, ByteOrder order) {
  constexpr std::size_t entry_size = 48;  // both parts
  std::vector<std::byte> records;
  for (std::span<const IdIndex::Entry> rest = index.entries; !rest.empty();) {
    const auto some = rest.first(std::min(rest.size(), most_list_bytes / entry_size));
    const auto record = id_index_record(some, order);
    records.insert(records.end(), record.begin(), record.end());
    rest = rest.subspan(some.size());
  }
  return records;
}

std::vector<std::byte> encode_time_conv(const TimeConv& conversion, ByteOrder order) {
  ByteWriter out(order);
  out.u64(conversion.shift).u64(conversion.multiplier).u64(conversion.zero);
  if (const auto& counter = conversion.short_counter) {
    out.u64(counter->cycles).u64(counter->mask).u8(counter->has_time_zero ? 1 : 0).u8(counter->has_short_time ? 1 : 0);
  }
  out.align();
  return encoded_record(RecordType::time_conv, out, order);
}

// A name has 16 bytes, a NUL included: struct perf_record_thread_map_entry.
std::vector<std::byte> encode_thread_map(const ThreadMap& map, ByteOrder order) {
  constexpr std::size_t name_size = 16, entry_size = 24;
  if (map.threads.size() > most_list_bytes / entry_size) return {};
  ByteWriter out(order);
  out.u64(map.threads.size());
  for (const auto& thread : map.threads) {
    const auto name = thread.comm.substr(0, name_size - 1);
    out.u64(widened(thread.tid)).text(name).zeros(name_size - name.size());
  }
  return encoded_record(RecordType::thread_map, out, order);
}

std::vector<std::byte> encode_cpu_map(const CpuMap& map, ByteOrder order) {
  ByteWriter out(order);
  return put_cpu_map(out, map) ? encoded_record(RecordType::cpu_map, out, order) : std::vector<std::byte>();
}

std::vector<std::byte> encode_finished_round(ByteOrder order) {
  return encoded_record(RecordType::finished_round, ByteWriter(order), order);
}

std::vector<std::byte> encode_finished_init(ByteOrder order) {
  return encoded_record(RecordType::finished_init, ByteWriter(order), order);
}

}  // namespace perfsift::reader
