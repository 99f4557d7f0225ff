// The median of numbers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace perfsift {

// The value in the middle, or the mean of the two in the middle; 0 without values. (Boost.Math has one, too, but newer
// releases of its header need the library for parallel algorithms.)
inline double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  if (values.size() % 2 != 0) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

}  // namespace perfsift
