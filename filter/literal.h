// Numbers in an expression: 12, -1, 0x1f, 64k, 1.5s, 10%, 0.75.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "filter/number.h"

namespace perfsift::filter {

struct Literal {
  enum class Kind : std::uint8_t {
    plain,     // 12, 0x1f
    size,      // 64k: times 1024, as M, G and T
    duration,  // 50us: in nanoseconds; also ns, ms, s and min
    share,     // 10%
    decimal,   // 0.75
  };
  Kind kind = Kind::plain;
  Number number;    // plain, size, duration
  double real = 0;  // share (of 1), decimal; of a plain number the same
};

// Gives nothing for a text that is no number, or a number that is too large or too exact for 64 bits.
std::optional<Literal> parse_literal(std::string_view text);

}  // namespace perfsift::filter
