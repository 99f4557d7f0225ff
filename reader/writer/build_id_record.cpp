#include "reader/writer/build_id_record.h"

#include "reader/features/sections.h"
#include "reader/writer/byte_writer.h"

namespace perfsift::reader {

std::vector<BuildIdEntry> build_ids_in(Bytes section, ByteOrder order) {
  ByteReader in(section, order);
  return read_build_ids(in);
}

// struct perf_record_header_build_id
std::vector<std::byte> build_id_record(const BuildIdEntry& entry, ByteOrder order) {
  ByteWriter payload(order);
  payload.u32(static_cast<std::uint32_t>(entry.pid)).bytes(entry.build_id.bytes);
  payload.u8(entry.build_id.size).zeros(3).padded(entry.path).align();

  ByteWriter record(order);
  record.u32(static_cast<std::uint32_t>(RecordType::header_build_id));
  record.u16(static_cast<std::uint16_t>(static_cast<unsigned>(entry.mode) | misc::build_id_size));
  record.u16(static_cast<std::uint16_t>(record_header_size + payload.size())).bytes(payload.view());
  return record.take();
}

}  // namespace perfsift::reader
