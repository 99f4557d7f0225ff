// The largest sum of amounts. Sums have 63 bits, because pprof profiles store signed numbers. Amounts of text inputs
// and of pprof profiles may have any size, so a sum may overflow.
#pragma once

#include <cstdint>
#include <limits>

#include <fmt/format.h>

#include "analysis/profile/amount.h"
#include "base/error.h"

namespace perfsift::analysis {

inline constexpr std::uint64_t largest_sum = std::numeric_limits<std::int64_t>::max();

// Throws InputError, without the name of the input, if `sum` becomes too large.
inline void add_to_sum(const Amount& amount, Amount& sum) {
  const bool fits = !__builtin_add_overflow(sum.samples, amount.samples, &sum.samples) &&
                    !__builtin_add_overflow(sum.value, amount.value, &sum.value);
  if (!fits || sum.samples > largest_sum || sum.value > largest_sum)
    throw InputError(fmt::format("the values of an event add up to more than {}", largest_sum));
}

}  // namespace perfsift::analysis
