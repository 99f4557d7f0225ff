// Keys and tokens that nobody can guess.
#pragma once

#include <array>
#include <cstdint>

namespace perfsift {

// From the machine's random numbers.
std::array<std::uint64_t, 2> random_key();

}  // namespace perfsift
