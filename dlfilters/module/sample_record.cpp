#include "dlfilters/module/sample_record.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace perfsift::dlfilter {
namespace {

namespace bit = reader::sample_bit;

std::uint64_t word(std::uint32_t first, std::uint32_t second) {
  return std::bit_cast<std::uint64_t>(std::array{first, second});
}

// Reads backwards: whatever is asked for lies before what was read last.
class BackwardReader {
 public:
  explicit BackwardReader(const void* end) : at_(static_cast<const std::byte*>(end)) {}

  std::uint64_t word() {
    std::uint64_t value = 0;
    at_ -= sizeof value;
    std::memcpy(&value, at_, sizeof value);
    return value;
  }
  const std::byte* at() const { return at_; }

 private:
  const std::byte* at_;
};

// perf_output_sample() in kernel/events/core.c, from its callchain to its beginning. The next word is read only when
// the one behind it is what it must be. So nothing is read from outside of what perf has allocated: in front of a
// callchain that lies elsewhere is at least what the allocator keeps of it, and that is none of these.
bool has_its_fields_before(const Sample& sample, const reader::EventAttr& attr, BackwardReader& in) {
  struct Field {
    std::uint64_t bit;
    std::uint64_t value;
    std::uint64_t mask = ~std::uint64_t{0};
  };
  const Field fields[] = {
      {bit::period, sample.period},
      {bit::cpu, word(static_cast<std::uint32_t>(sample.cpu), 0), word(~std::uint32_t{0}, 0)},
      {bit::stream_id, sample.stream_id},
      {bit::id, sample.id},
      {bit::addr, sample.addr},
      {bit::time, sample.time},
      {bit::tid, word(static_cast<std::uint32_t>(sample.pid), static_cast<std::uint32_t>(sample.tid))},
      {bit::ip, sample.ip},
      {bit::identifier, sample.id},
  };
  if (in.word() != sample.raw_callchain_nr) return false;
  return std::ranges::all_of(
      fields, [&](const Field& field) { return !attr.has(field.bit) || (in.word() & field.mask) == field.value; });
}

}  // namespace

std::optional<reader::Record> record_of(const Sample& sample, const reader::EventAttr& attr) {
  if (sample.raw_callchain == nullptr || attr.has(bit::read)) return std::nullopt;
  BackwardReader in(sample.raw_callchain);
  if (!has_its_fields_before(sample, attr, in)) return std::nullopt;
  const std::byte* const payload = in.at();
  in.word();
  ByteReader header_bytes({in.at(), reader::record_header_size});
  reader::RecordHeader header;
  header.type = static_cast<reader::RecordType>(header_bytes.u32());
  header.misc = header_bytes.u16();
  header.size = header_bytes.u16();
  const auto before_callchain =
      static_cast<std::size_t>(reinterpret_cast<const std::byte*>(sample.raw_callchain) - in.at());
  if (header.type != reader::RecordType::sample || header.misc != sample.misc || header.size < before_callchain) {
    return std::nullopt;
  }
  return reader::Record{.header = header, .payload = {payload, header.size - reader::record_header_size}};
}

}  // namespace perfsift::dlfilter
