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

// The name nearest to `wrong`, for "did you mean"; empty if no name is near.
template <typename Names>
std::string_view nearest(std::string_view wrong, const Names& names) {
  std::string_view best;
  std::size_t best_distance = wrong.size() < 4 ? 2 : 3;
  for (const std::string_view name : names) {
    if (const std::size_t d = edit_distance(name, wrong); d < best_distance) best = name, best_distance = d;
  }
  return best;
}

}  // namespace perfsift::filter
