#include "reader/writer/records/mmap.h"

namespace perfsift::reader {

namespace {

std::uint16_t misc_of_mmap(const Mmap& mmap, CpuMode mode) {
  unsigned bits = static_cast<unsigned>(mode);
  if (mmap.data) bits |= misc::mmap_data;
  if (mmap.incomplete) bits |= misc::proc_map_parse_timeout;
  return static_cast<std::uint16_t>(bits);
}

void put_range(ByteWriter& out, const Mmap& mmap) {
  out.u32(as_u32(mmap.pid)).u32(as_u32(mmap.tid)).u64(mmap.start).u64(mmap.length).u64(mmap.page_offset);
}

void put_identity(ByteWriter& out, const FileIdentity& file) {
  out.u32(file.device_major).u32(file.device_minor).u64(file.inode).u64(file.inode_generation);
}

}  // namespace

std::vector<std::byte> encode_mmap(const Mmap& mmap, CpuMode mode, const Encoding& encoding) {
  ByteWriter out = encoding.payload();
  put_range(out, mmap);
  put_name(out, mmap.path);
  return encoded_record(RecordType::mmap, misc_of_mmap(mmap, mode), out, encoding);
}

std::vector<std::byte> encode_mmap2(const Mmap& mmap, CpuMode mode, const Encoding& encoding) {
  ByteWriter out = encoding.payload();
  std::uint16_t bits = misc_of_mmap(mmap, mode);
  put_range(out, mmap);
  if (mmap.build_id.empty()) {
    put_identity(out, mmap.file.value_or(FileIdentity()));
  } else {
    bits |= misc::mmap_build_id;
    out.u8(mmap.build_id.size).zeros(3).bytes(mmap.build_id.bytes);
  }
  put_name(out.u32(mmap.protection).u32(mmap.flags), mmap.path);
  return encoded_record(RecordType::mmap2, bits, out, encoding);
}

}  // namespace perfsift::reader
