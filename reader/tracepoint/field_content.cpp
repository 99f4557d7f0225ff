#include "reader/tracepoint/field_content.h"

namespace perfsift::reader {

// A dynamic field is a word: the offset of its content in the lower half, the size in the upper half.
std::optional<Bytes> content(const TracepointField& field, Bytes raw, ByteOrder order) {
  ByteReader in(raw, order);
  in.skip(field.offset);
  const Bytes here = in.bytes(field.size);
  if (!in.ok()) return std::nullopt;
  if (!field.is_dynamic) return here;

  ByteReader word(here, order);
  const std::uint32_t location = word.u32();
  const std::size_t base = field.is_relative ? field.offset + field.size : 0;
  ByteReader target(raw, order);
  target.skip(base + (location & 0xffff));
  const Bytes there = target.bytes(location >> 16);
  return word.ok() && target.ok() ? std::optional(there) : std::nullopt;
}

std::optional<std::uint64_t> field_number(Bytes bytes, bool is_signed, ByteOrder order) {
  ByteReader in(bytes, order);
  switch (bytes.size()) {
    case 1:
      return is_signed ? static_cast<std::uint64_t>(static_cast<std::int8_t>(in.u8())) : in.u8();
    case 2:
      return is_signed ? static_cast<std::uint64_t>(static_cast<std::int16_t>(in.u16())) : in.u16();
    case 4:
      return is_signed ? static_cast<std::uint64_t>(in.i32()) : in.u32();
    case 8:
      return in.u64();
    default:
      return std::nullopt;
  }
}

}  // namespace perfsift::reader
