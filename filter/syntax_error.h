// A mistake in an expression, with its place.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include "base/error.h"
#include "filter/source_text.h"

namespace perfsift::filter {

// The exception of fail_at(). `line` and `column` count from 1, columns in characters.
struct SyntaxError : UsageError {
  SyntaxError(const std::string& text, std::size_t in_line, std::size_t at_column, Span at, std::string what_is_wrong)
      : UsageError(text), line(in_line), column(at_column), place(at), message(std::move(what_is_wrong)) {}

  std::size_t line = 0;
  std::size_t column = 0;
  Span place;           // in the text
  std::string message;  // without origin, line and caret
};

}  // namespace perfsift::filter
