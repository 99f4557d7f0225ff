// Hash functions for numbers.
#pragma once

#include <cstdint>

namespace perfsift {

// 2^64 divided by the golden ratio.
inline constexpr std::uint64_t golden = 0x9e3779b97f4a7c15;

// Fibonacci hashing: a difference in any bit of `word` changes the high bits of the result.
constexpr std::uint64_t spread(std::uint64_t word) { return word * golden; }

// Folds the 128-bit product of two words into one: mixes well, in a few cycles.
constexpr std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  __extension__ using Product = unsigned __int128;
  const Product product = static_cast<Product>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

// Constants for mix(): without them a word of zeros would make the result zero.
inline constexpr std::uint64_t odd_1 = 0xa0761d6478bd642f, odd_2 = 0xe7037ed1a0b428db, odd_3 = 0x8ebc6af09c88c6e3;

}  // namespace perfsift
