// How far two names are from each other: for "did you mean".
#pragma once

#include <cstddef>
#include <string_view>

namespace perfsift {

// Levenshtein's distance: how many letters to change, add or drop.
std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace perfsift
