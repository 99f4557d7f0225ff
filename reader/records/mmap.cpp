#include "reader/records/mmap.h"

#include <algorithm>

#include <sys/mman.h>

namespace perfsift::reader {

namespace {

Mmap read_range(ByteReader& in, const Record& record) {
  return {
      .pid = in.i32(),
      .tid = in.i32(),
      .start = in.u64(),
      .length = in.u64(),
      .page_offset = in.u64(),
      .data = (record.header.misc & misc::mmap_data) != 0,
      .incomplete = (record.header.misc & misc::proc_map_parse_timeout) != 0,
  };
}

FileIdentity read_file_identity(ByteReader& in) {
  return {.device_major = in.u32(), .device_minor = in.u32(), .inode = in.u64(), .inode_generation = in.u64()};
}

// Stands in place of the file's identity, and has the same length: a size, three unused bytes, 20 bytes.
BuildId read_build_id(ByteReader& in) {
  const std::size_t size = in.u8();
  in.skip(3);
  const Bytes bytes = in.bytes(20);
  return BuildId(bytes.first(std::min(size, bytes.size())));
}

}  // namespace

std::optional<Mmap> decode_mmap(const Record& record) {
  auto in = record.reader();
  Mmap mmap = read_range(in, record);
  mmap.protection = mmap.data ? PROT_NONE : PROT_EXEC;
  mmap.path = in.cstring();
  return in.ok() ? std::optional(mmap) : std::nullopt;
}

std::optional<Mmap> decode_mmap2(const Record& record) {
  auto in = record.reader();
  Mmap mmap = read_range(in, record);
  if ((record.header.misc & misc::mmap_build_id) != 0)
    mmap.build_id = read_build_id(in);
  else
    mmap.file = read_file_identity(in);
  mmap.protection = in.u32();
  mmap.flags = in.u32();
  mmap.path = in.cstring();
  return in.ok() ? std::optional(mmap) : std::nullopt;
}

}  // namespace perfsift::reader
