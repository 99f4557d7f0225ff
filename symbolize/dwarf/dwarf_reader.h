// DWARF's own forms of numbers, on top of the bounds-checked reader.
#pragma once

#include <cstdint>

#include "base/byte_reader.h"
#include "base/leb128.h"

namespace perfsift::symbolize::dwarf {

// Files, lines and columns are stored in 32 bits. Larger numbers are invalid.
constexpr std::uint32_t at_most_32_bits(std::uint64_t number) {
  return number <= ~std::uint32_t{0} ? static_cast<std::uint32_t>(number) : ~std::uint32_t{0};
}

// Reads a section from `start` on; positions are those in the section.
class DwarfReader : public ByteReader {
 public:
  DwarfReader(Bytes section, ByteOrder order, std::uint64_t start = 0)
      : ByteReader(section, order), size_(section.size()) {
    skip(start);
  }

  std::uint64_t position() const { return size_ - remaining(); }

  std::uint64_t uleb128() { return perfsift::uleb128(*this); }
  std::int64_t sleb128() { return perfsift::sleb128(*this); }
  void skip_leb128() {
    while (ok() && u8() >= 0x80) {
    }
  }

  // A number of 1, 2, 3, 4 or 8 bytes. Any other size comes from a damaged header.
  std::uint64_t number(unsigned size) {
    switch (size) {
      case 1:
        return u8();
      case 2:
        return u16();
      case 3: {
        const std::uint64_t a = u8(), b = u8(), c = u8();
        const bool little = (std::endian::native == std::endian::little) == (order() == ByteOrder::native);
        return little ? a | b << 8 | c << 16 : a << 16 | b << 8 | c;
      }
      case 4:
        return u32();
      case 8:
        return u64();
      default:
        fail();
        return 0;
    }
  }

  // The length in front of a unit, and the size of offsets in the unit.
  struct UnitLength {
    std::uint64_t length = 0;
    std::uint8_t offset_size = 4;
  };
  UnitLength unit_length() {
    constexpr std::uint32_t is_64_bit = 0xffffffff, first_reserved = 0xfffffff0;
    const std::uint32_t length = u32();
    if (length == is_64_bit) return {u64(), 8};
    if (length >= first_reserved) fail();
    return {length, 4};
  }

 private:
  std::uint64_t size_;
};

}  // namespace perfsift::symbolize::dwarf
