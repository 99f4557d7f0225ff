#include "record/keep/dropped_samples.h"

namespace perfsift::record {
namespace {

namespace bit = reader::sample_bit;

// The trailer of a record that belongs to no thread, no time and no CPU.
void append_trailer(const reader::EventAttr& attr, std::uint64_t id, reader::ByteWriter& out) {
  if (!attr.sample_id_all()) return;
  if (attr.has(bit::tid)) out.u64(0);
  if (attr.has(bit::time)) out.u64(0);
  if (attr.has(bit::id)) out.u64(id);
  if (attr.has(bit::stream_id)) out.u64(0);
  if (attr.has(bit::cpu)) out.u64(0);
  if (attr.has(bit::identifier)) out.u64(id);
}

}  // namespace

void append_dropped(const reader::EventAttr& attr, std::uint64_t id, std::uint64_t count, reader::ByteWriter& out) {
  reader::ByteWriter payload(ByteOrder::native);
  payload.u64(count);
  append_trailer(attr, id, payload);
  out.u32(static_cast<std::uint32_t>(reader::RecordType::lost_samples)).u16(reader::misc::lost_samples_bpf);
  out.u16(static_cast<std::uint16_t>(reader::record_header_size + payload.size())).bytes(payload.view());
}

}  // namespace perfsift::record
