#include "tools/offcpu/distribution.h"

#include <algorithm>
#include <cmath>

namespace perfsift::offcpu {

void Distribution::add(const Distribution& other) {
  for (std::size_t i = 0; i < buckets; ++i) counts_[i] += other.counts_[i];
  count_ += other.count_;
  sum_ += other.sum_;
  max_ = std::max(max_, other.max_);
}

std::uint64_t Distribution::percentile(double percent) const {
  if (count_ == 0) return 0;
  const auto wanted =
      std::max(std::uint64_t{1}, static_cast<std::uint64_t>(std::ceil(percent / 100 * static_cast<double>(count_))));
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < buckets; ++i) {
    seen += counts_[i];
    if (seen >= wanted) return std::min(end_of(i), max_);
  }
  return max_;
}

std::array<std::uint64_t, 64> Distribution::powers() const {
  std::array<std::uint64_t, 64> powers{};
  for (std::size_t i = 0; i < buckets; ++i) {
    if (counts_[i] != 0) powers[static_cast<std::size_t>(std::bit_width(end_of(i) | 1)) - 1] += counts_[i];
  }
  return powers;
}

std::uint64_t Distribution::up_to(std::uint64_t value) const {
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i <= bucket_of(value); ++i) seen += counts_[i];
  return seen;
}

}  // namespace perfsift::offcpu
