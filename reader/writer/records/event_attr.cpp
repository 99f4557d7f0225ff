#include "reader/writer/records/event_attr.h"

#include "reader/writer/byte_writer.h"

namespace perfsift::reader {

std::vector<std::byte> encode_event_attr(const EventAttr& attr, ByteOrder order, std::size_t size) {
  ByteWriter out(order);
  out.u32(attr.type).u32(static_cast<std::uint32_t>(size)).u64(attr.config).u64(attr.sample_period);
  out.u64(attr.sample_type).u64(attr.read_format).u64(attr.flags).u32(attr.wakeup_events).u32(attr.bp_type);
  out.u64(attr.config1).u64(attr.config2).u64(attr.branch_sample_type).u64(attr.sample_regs_user);
  out.u32(attr.sample_stack_user).u32(static_cast<std::uint32_t>(attr.clock_id)).u64(attr.sample_regs_intr);
  out.u32(attr.aux_watermark).u16(attr.sample_max_stack).u16(0).u32(attr.aux_sample_size).u32(attr.aux_action);
  out.u64(attr.sig_data).u64(attr.config3).u64(attr.config4);
  std::vector<std::byte> bytes = out.take();
  bytes.resize(size);
  return bytes;
}

}  // namespace perfsift::reader
