// Hashing and comparing callchains, which are rows of 64-bit words.
#pragma once

#include <cstdint>
#include <cstring>

#include "reader/sample.h"

namespace perfsift::tools {

// Folds the 128-bit product of two words into one: mixes as well as anything, in a few cycles.
inline std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  __extension__ using Product = unsigned __int128;
  const Product product = static_cast<Product>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

// To mix with: without them a word of zeros would make everything zero.
inline constexpr std::uint64_t odd_1 = 0xa0761d6478bd642f, odd_2 = 0xe7037ed1a0b428db, odd_3 = 0x8ebc6af09c88c6e3;

// A callchain of no words need not point to anything, which memcmp() does not allow.
inline bool same_words(reader::Words a, reader::Words b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

}  // namespace perfsift::tools
