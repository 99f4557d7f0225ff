#include "tools/offcpu/distribution.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace perfsift::offcpu {

[[gnu::noinline]] void Distribution::spread() {
  counts_ = std::make_unique<Counts>();
  for (const std::uint16_t bucket : std::exchange(few_, {})) count(bucket);
}

std::uint64_t Distribution::percentile(double percent) const {
  if (count_ == 0) return 0;
  const auto wanted =
      std::max(std::uint64_t{1}, static_cast<std::uint64_t>(std::ceil(percent / 100 * static_cast<double>(count_))));
  std::uint64_t seen = 0;
  std::uint64_t value = max_;
  find_bucket([&](std::size_t bucket, std::uint64_t count) {
    seen += count;
    if (seen < wanted) return false;
    value = std::min(end_of(bucket), max_);
    return true;
  });
  return value;
}

std::array<std::uint64_t, 64> Distribution::powers() const {
  std::array<std::uint64_t, 64> powers{};
  find_bucket([&](std::size_t bucket, std::uint64_t count) {
    powers[static_cast<std::size_t>(std::bit_width(end_of(bucket) | 1)) - 1] += count;
    return false;
  });
  return powers;
}

}  // namespace perfsift::offcpu
