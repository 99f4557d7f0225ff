// The text of an expression, and errors that point into it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/edit_distance.h"

namespace perfsift::filter {

// An expression, and its origin for messages: "--filter", "--pid", the name of a file.
struct FilterText {
  std::string origin;
  std::string text;
};

// Some bytes of a text.
struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;  // exclusive

  std::string_view of(std::string_view text) const { return text.substr(begin, end - begin); }
};

// Throws UsageError: the origin, the message, the line with a caret below the place.
//
//   --filter: 'perid': there is no such field; did you mean period?
//     perid > 100 && pid == 3
//     ^~~~~
[[noreturn]] void fail_at(const FilterText& source, Span place, const std::string& message);

}  // namespace perfsift::filter
