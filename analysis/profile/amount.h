// The measured amount of a stack, a function, or anything else that samples are added up for.
#pragma once

#include <cstdint>

namespace perfsift::analysis {

// How much was measured: samples, and what they weigh (see Weight).
struct Amount {
  std::uint64_t samples = 0;
  std::uint64_t value = 0;

  Amount& operator+=(const Amount& other) { return samples += other.samples, value += other.value, *this; }
  Amount& operator-=(const Amount& other) { return samples -= other.samples, value -= other.value, *this; }
  bool operator==(const Amount&) const = default;
};

}  // namespace perfsift::analysis
