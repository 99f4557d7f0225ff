// Searches in sorted numbers for one number after the other, each mostly shortly behind the last.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace perfsift {

// The place of the first number that is not below `wanted`. `hint`: the place found last. Fast from there on: doubles
// the step until the number is passed, then halves it.
inline std::size_t first_from(std::span<const std::uint64_t> sorted, std::uint64_t wanted, std::size_t hint) {
  std::size_t begin = hint < sorted.size() && sorted[hint] <= wanted ? hint : 0;
  std::size_t step = 1;
  while (begin + step < sorted.size() && sorted[begin + step] < wanted) {
    begin += step;
    step *= 2;
  }
  const std::size_t end = std::min(begin + step + 1, sorted.size());
  const auto range = sorted.subspan(begin, end - begin);
  return begin + static_cast<std::size_t>(std::ranges::lower_bound(range, wanted) - range.begin());
}

}  // namespace perfsift
