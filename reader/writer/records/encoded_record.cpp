#include "reader/writer/records/encoded_record.h"

#include <limits>

namespace perfsift::reader {

namespace {

void put_trailer(ByteWriter& out, const Trailer& trailer) {
  const auto has = [&](std::uint64_t bit) { return (trailer.sample_type & bit) != 0; };
  const SampleId& id = trailer.id;
  namespace bit = sample_bit;
  if (has(bit::tid)) out.u32(as_u32(id.pid)).u32(as_u32(id.tid));
  if (has(bit::time)) out.u64(id.time);
  if (has(bit::id)) out.u64(id.id);
  if (has(bit::stream_id)) out.u64(id.stream_id);
  if (has(bit::cpu)) out.u32(as_u32(id.cpu)).u32(0);
  if (has(bit::identifier)) out.u64(id.id);
}

}  // namespace

void put_name(ByteWriter& out, std::string_view name) { out.padded(name.substr(0, most_name_bytes)); }

std::vector<std::byte> encoded_record(RecordType type, std::uint16_t misc, const ByteWriter& payload,
                                      const Encoding& encoding) {
  ByteWriter trailer(encoding.order);
  put_trailer(trailer, encoding.trailer);
  const std::size_t size = record_header_size + payload.size() + trailer.size();
  if (size > std::numeric_limits<std::uint16_t>::max()) return {};

  ByteWriter record(encoding.order);
  record.u32(static_cast<std::uint32_t>(type)).u16(misc).u16(static_cast<std::uint16_t>(size));
  return record.bytes(payload.view()).bytes(trailer.view()).take();
}

std::vector<std::byte> encoded_record(RecordType type, const ByteWriter& payload, ByteOrder order) {
  return encoded_record(type, 0, payload, {.order = order, .trailer = {}});
}

}  // namespace perfsift::reader
