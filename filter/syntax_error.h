// A mistake in an expression, with its place.
#pragma once

#include <cstddef>
#include <string>

#include "base/error.h"

namespace perfsift::filter {

// What fail_at() throws. `line` and `column` count from 1, columns in characters.
struct SyntaxError : UsageError {
  SyntaxError(const std::string& text, std::size_t in_line, std::size_t at_column)
      : UsageError(text), line(in_line), column(at_column) {}

  std::size_t line = 0;
  std::size_t column = 0;
};

}  // namespace perfsift::filter
