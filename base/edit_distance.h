// The distance of two names, for "did you mean".
#pragma once

#include <cstddef>
#include <string_view>

namespace perfsift {

// How many bytes must be changed, added, removed, or exchanged with the next one (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b);

// The name nearest to `wrong`; empty if no name is near. Lives as long as `names`.
template <typename Names>
std::string_view nearest(std::string_view wrong, const Names& names) {
  std::string_view best;
  std::size_t best_distance = wrong.size() < 4 ? 2 : 3;
  for (const std::string_view name : names) {
    if (const std::size_t d = edit_distance(name, wrong); d < best_distance) best = name, best_distance = d;
  }
  return best;
}

}  // namespace perfsift
