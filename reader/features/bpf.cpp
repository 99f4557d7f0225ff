// BPF_PROG_INFO and BPF_BTF: the BPF programs that were loaded, and the types they were compiled with.
#include <algorithm>
#include <cstring>

#include "reader/features/sections.h"
#include "reader/features/strings.h"

namespace perfsift::reader {

namespace {

// The arrays that follow the struct: enum perf_bpil_array_types in tools/perf/util/bpf-utils.h.
constexpr std::uint64_t has_jited_ksyms = 1u << 3, has_jited_func_lens = 1u << 4, has_prog_tags = 1u << 8;

// A reader of the data from `offset` on. perf replaced the pointers of the struct by such offsets
// (bpil_addr_to_offs()).
ByteReader at(Bytes data, std::uint64_t offset, ByteOrder order) {
  return ByteReader(data.subspan(static_cast<std::size_t>(std::min<std::uint64_t>(offset, data.size()))), order);
}

std::array<std::byte, 8> read_tag(ByteReader& in) {
  std::array<std::byte, 8> tag{};
  const Bytes bytes = in.bytes(tag.size());
  std::ranges::copy(bytes, tag.begin());
  return tag;
}

// struct perf_bpil: {info_len, data_len, arrays, struct bpf_prog_info, data}. The struct bpf_prog_info of an older
// kernel is shorter; missing fields are 0.
BpfProgram read_program(ByteReader& in) {
  const std::uint32_t info_size = in.u32();
  const std::uint32_t data_size = in.u32();
  const std::uint64_t arrays = in.u64();
  const Bytes written = in.bytes(info_size);
  const Bytes data = in.bytes(data_size);

  std::array<std::byte, 192> padded{};  // up to prog_tags, the last field that is used here
  std::copy_n(written.begin(), std::min(written.size(), padded.size()), padded.begin());
  ByteReader info(padded, in.order());

  BpfProgram program;
  program.type = info.u32();
  program.id = info.u32();
  info.skip(56);  // tag, lengths and instructions, load time, uid, map ids
  program.name = c_string(info.bytes(16));
  info.skip(24);  // ifindex, license, network namespace
  const std::uint32_t ksyms = info.u32(), lengths = info.u32();
  const std::uint64_t ksyms_offset = info.u64(), lengths_offset = info.u64();
  info.skip(52);  // BTF id, function and line infos
  const std::uint32_t tags = info.u32();
  const std::uint64_t tags_offset = info.u64();

  const auto read_array = [&](std::uint64_t has, std::uint64_t offset, std::uint32_t count, auto read) {
    auto array = at(data, offset, in.order());
    auto list = read_list(array, (arrays & has) != 0 ? count : 0, read);
    if (!array.ok()) in.fail();
    return list;
  };
  program.ksyms = read_array(has_jited_ksyms, ksyms_offset, ksyms, [](ByteReader& array) { return array.u64(); });
  program.lengths =
      read_array(has_jited_func_lens, lengths_offset, lengths, [](ByteReader& array) { return array.u32(); });
  program.tags = read_array(has_prog_tags, tags_offset, tags, read_tag);
  return program;
}

}  // namespace

std::vector<BpfProgram> read_bpf_programs(ByteReader& in) { return read_list(in, in.u32(), read_program); }

std::vector<BpfBtf> read_bpf_btfs(ByteReader& in) {
  return read_list(in, in.u32(), [](ByteReader& one) {
    const std::uint32_t id = one.u32();
    const Bytes data = one.bytes(one.u32());
    return BpfBtf{.id = id, .data = {data.begin(), data.end()}};
  });
}

}  // namespace perfsift::reader
