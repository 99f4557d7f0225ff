// Numbers of variable length, as DWARF writes them: seven bits a byte, the lowest first.
#pragma once

#include <cstdint>

#include "base/byte_reader.h"

namespace perfsift::symbolize {

// Bits above the 64th are dropped: some producers pad.
inline std::uint64_t uleb128(ByteReader& in) {
  std::uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    const std::uint8_t byte = in.u8();
    if (shift < 64) value |= std::uint64_t{byte & 0x7fu} << shift;
    if ((byte & 0x80) == 0) return value;
  }
}

inline std::int64_t sleb128(ByteReader& in) {
  std::uint64_t value = 0;
  for (unsigned shift = 0;;) {
    const std::uint8_t byte = in.u8();
    if (shift < 64) value |= std::uint64_t{byte & 0x7fu} << shift;
    shift += 7;
    if ((byte & 0x80) != 0) continue;
    if (shift < 64 && (byte & 0x40) != 0) value |= ~std::uint64_t{0} << shift;
    return static_cast<std::int64_t>(value);
  }
}

}  // namespace perfsift::symbolize
