// A DEFLATE block of codes for single bytes: bytes that are frequent have short codes. RFC 1951, section 3.2.7.
//
// Numbers without an order have no matches, and zlib takes three times as long to find none.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "output/text.h"

namespace perfsift::output {

// How often each byte comes.
using ByteCounts = std::array<std::uint32_t, 256>;
ByteCounts counts_of(std::string_view bytes);

class ByteCodes {
 public:
  explicit ByteCodes(const ByteCounts& counts);

  // The size of a block with these bytes, without its description.
  std::uint64_t size() const { return bits_ / 8; }
  // Appends blocks that end on a byte. `bytes`: those that were counted.
  void append(std::string_view bytes, Text& to) const;

 private:
  static constexpr std::size_t symbols = 257, end_of_block = 256;
  struct Code {
    std::uint16_t bits = 0;  // the first one lowest
    std::uint16_t length = 0;
  };

  void find_lengths(std::array<std::uint32_t, symbols> counts);
  void assign_codes();

  std::array<Code, symbols> codes_{};
  std::uint64_t bits_ = 0;
};

}  // namespace perfsift::output
