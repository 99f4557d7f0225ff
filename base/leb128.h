// DWARF's numbers of variable length (LEB128): seven bits per byte, lowest bits first.
#pragma once

#include <cstdint>

#include "base/byte_reader.h"

namespace perfsift {

// Bits beyond the 64th are dropped: some producers pad numbers, and larger numbers have no meaning.
inline std::uint64_t uleb128(ByteReader& in) {
  const std::uint8_t first = in.u8();
  if (first < 0x80) return first;  // most numbers are small
  std::uint64_t value = first & 0x7f;
  for (unsigned shift = 7;; shift += 7) {
    const std::uint8_t next = in.u8();  // 0 past the end
    if (shift < 64) value |= std::uint64_t{next & 0x7fU} << shift;
    if (next < 0x80) return value;
  }
}

inline std::int64_t sleb128(ByteReader& in) {
  std::uint64_t value = 0;
  for (unsigned shift = 0;;) {
    const std::uint8_t next = in.u8();
    if (shift < 64) value |= std::uint64_t{next & 0x7fU} << shift;
    shift += 7;
    if (next >= 0x80) continue;
    if (shift < 64 && (next & 0x40) != 0) value |= ~std::uint64_t{0} << shift;
    return static_cast<std::int64_t>(value);
  }
}

}  // namespace perfsift
