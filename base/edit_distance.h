// The distance of two names, for "did you mean".
#pragma once

#include <cstddef>
#include <string_view>

namespace perfsift {

// The Levenshtein distance: how many bytes must be changed, added or removed.
std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace perfsift
