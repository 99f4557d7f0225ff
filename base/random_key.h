// Keys and tokens that cannot be guessed.
#pragma once

#include <array>
#include <cstdint>

namespace perfsift {

// The key is made of the machine's random numbers.
std::array<std::uint64_t, 2> random_key();

}  // namespace perfsift
