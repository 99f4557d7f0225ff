// The measured amount of a stack, a function, or any other sum of samples.
#pragma once

#include <cstdint>

namespace perfsift::analysis {

// A measured amount: the number of samples, and their summed weight (see Weight).
struct Amount {
  std::uint64_t samples = 0;
  std::uint64_t value = 0;

  Amount& operator+=(const Amount& other) { return samples += other.samples, value += other.value, *this; }
  Amount& operator-=(const Amount& other) { return samples -= other.samples, value -= other.value, *this; }
  bool operator==(const Amount&) const = default;
};

}  // namespace perfsift::analysis
