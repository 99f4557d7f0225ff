#include "reader/records/cpu_map.h"

#include "reader/lists.h"

namespace perfsift::reader {

namespace {

// PERF_CPU_MAP__*
constexpr std::uint16_t list_encoding = 0, mask_encoding = 1, range_encoding = 2;

std::vector<std::int32_t> read_cpu_list(ByteReader& in) {
  return read_list(in, in.u16(), [](ByteReader& cpu) -> std::int32_t {
    return static_cast<std::int16_t>(cpu.u16());  // 65535 is the -1 of the writer
  });
}

// Words of 32 or of 64 bits, as the writer's `long` was; the larger ones after four bytes of padding, and even so not
// aligned, because the struct is packed.
std::vector<std::int32_t> read_cpu_mask(ByteReader& in) {
  const std::uint16_t words = in.u16();
  const std::uint16_t word_size = in.u16();
  if (word_size != 4 && word_size != 8) in.fail();
  if (word_size == 8) in.skip(4);

  std::vector<std::int32_t> cpus;
  for (std::int32_t word = 0; word < words && in.ok(); ++word) {
    const std::uint64_t mask = word_size == 8 ? in.u64() : in.u32();
    for (std::int32_t bit = 0; bit < word_size * 8; ++bit)
      if ((mask >> bit & 1) != 0) cpus.push_back(word * word_size * 8 + bit);
  }
  return cpus;
}

std::vector<std::int32_t> read_cpu_range(ByteReader& in) {
  const bool any = in.u8() != 0;
  in.skip(1);
  const std::int32_t first = in.u16(), last = in.u16();
  if (last < first) in.fail();

  std::vector<std::int32_t> cpus;
  if (any) cpus.push_back(-1);
  for (std::int32_t cpu = first; cpu <= last; ++cpu) cpus.push_back(cpu);
  return cpus;
}

}  // namespace

CpuMap read_cpu_map(ByteReader& in) {
  switch (in.u16()) {
    case list_encoding:
      return {read_cpu_list(in)};
    case mask_encoding:
      return {read_cpu_mask(in)};
    case range_encoding:
      return {read_cpu_range(in)};
    default:
      in.fail();
      return {};
  }
}

std::optional<CpuMap> decode_cpu_map(const Record& record) {
  auto in = record.reader();
  auto map = read_cpu_map(in);
  return in.ok() ? std::optional(std::move(map)) : std::nullopt;
}

}  // namespace perfsift::reader
