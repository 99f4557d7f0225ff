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

// Stands in place of the file's identity, and has the same length: a size, three zeros, and 20 bytes, of which the
// unused ones are zeros (build_id_parse() in the kernel and perf_record_mmap2__read_build_id() in perf).
//
// Nothing if the bytes are an identity. perf_event_mmap_output() in the kernel sets the bit for a build id in a header
// that all events share, and does not clear the bit for the next event: so recordings without build ids get the bit
// while another `perf record` asks for build ids. The bytes decide, not perf_event_attr.build_id, because `perf inject`
// writes build ids into recordings whose events have none.
std::optional<BuildId> read_build_id(ByteReader in) {
  ByteReader as_identity = in;
  constexpr std::size_t of_uuid_or_md5 = 16, of_sha1 = 20;  // what linkers write; no disk has such a major number
  constexpr std::uint32_t most_minor = (1U << 20) - 1;      // MINORMASK in include/linux/kdev_t.h
  const std::uint32_t minor = read_file_identity(as_identity).device_minor;
  const std::size_t size = in.u8();
  const Bytes unused = in.bytes(3);
  const Bytes bytes = in.bytes(20);
  const auto is_zero = [](std::byte byte) { return byte == std::byte{0}; };
  if (size == 0 || size > bytes.size() || !std::ranges::all_of(unused, is_zero)) return std::nullopt;
  if (!std::ranges::all_of(bytes.subspan(size), is_zero)) return std::nullopt;
  if (size != of_uuid_or_md5 && size != of_sha1 && minor <= most_minor) return std::nullopt;
  return BuildId(bytes.first(size));
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
  const auto build_id = (record.header.misc & misc::mmap_build_id) != 0 ? read_build_id(in) : std::nullopt;
  mmap.build_id = build_id.value_or(BuildId());
  mmap.file = read_file_identity(in);
  if (build_id) mmap.file.reset();
  mmap.protection = in.u32();
  mmap.flags = in.u32();
  mmap.path = in.cstring();
  return in.ok() ? std::optional(mmap) : std::nullopt;
}

}  // namespace perfsift::reader
