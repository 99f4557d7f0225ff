// Number literals of C: "0x1fUL".
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "reader/tracepoint/print/type.h"

namespace perfsift::reader::print {

struct NumberLiteral {
  std::uint64_t value = 0;
  Type type;  // the first of C's types that can hold the number
};

// `long_size` is the size of the kernel's long. Nothing for text that is no number of 64 bits.
std::optional<NumberLiteral> number_literal(std::string_view text, unsigned long_size);

}  // namespace perfsift::reader::print
