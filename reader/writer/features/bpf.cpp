// BPF_PROG_INFO and BPF_BTF: the BPF programs that were loaded, and the types they were compiled with.
#include "reader/writer/features/sections.h"

namespace perfsift::reader {

namespace {

// Bits of enum perf_bpil_array_types in tools/perf/util/bpf-utils.h.
constexpr std::uint64_t jited_ksyms = 1u << 3, jited_func_lens = 1u << 4, prog_tags = 1u << 8;

// struct perf_bpil: {info_len, data_len, arrays, struct bpf_prog_info, data}. The pointers of the struct are offsets
// into the data. Fields that BpfProgram does not have are zeros; the struct ends behind prog_tags.
void put_program(ByteWriter& out, const BpfProgram& program, ByteOrder order) {
  constexpr std::uint32_t info_size = 192;
  ByteWriter data(order);
  for (const std::uint64_t ksym : program.ksyms) data.u64(ksym);
  const std::size_t lengths = data.size();
  for (const std::uint32_t length : program.lengths) data.u32(length);
  const std::size_t tags = data.align().size();
  for (const auto& tag : program.tags) data.bytes(tag);

  constexpr std::size_t name_size = 16;  // BPF_OBJ_NAME_LEN, a NUL included
  const std::string_view name = std::string_view(program.name).substr(0, name_size - 1);
  out.u32(info_size).u32(count_of(data.view())).u64(jited_ksyms | jited_func_lens | prog_tags);
  out.u32(program.type).u32(program.id).zeros(56).text(name).zeros(name_size - name.size()).zeros(24);
  out.u32(count_of(program.ksyms)).u32(count_of(program.lengths)).u64(0).u64(lengths);
  out.zeros(52).u32(count_of(program.tags)).u64(tags).bytes(data.view());
}

}  // namespace

void put_bpf_programs(ByteWriter& out, const std::vector<BpfProgram>& programs, ByteOrder order) {
  out.u32(count_of(programs));
  for (const auto& program : programs) put_program(out, program, order);
}

void put_bpf_btfs(ByteWriter& out, const std::vector<BpfBtf>& btfs) {
  out.u32(count_of(btfs));
  for (const auto& btf : btfs) out.u32(btf.id).u32(count_of(btf.data)).bytes(btf.data);
}

}  // namespace perfsift::reader
