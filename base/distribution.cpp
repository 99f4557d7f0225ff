#include "base/distribution.h"

#include <algorithm>
#include <cmath>

namespace perfsift {

[[gnu::noinline]] void Distribution::count_waiting() {
  for (const std::uint16_t bucket : waiting_) count(bucket, 1);
  waiting_.clear();
}

[[gnu::noinline]] void Distribution::make_room_for(std::size_t power) {
  if (counts_ == nullptr) counts_ = std::make_unique<Counts>();
  (*counts_)[power] = std::make_unique<std::array<std::uint64_t, half>>();
}

void Distribution::add_power(const Distribution& other, std::size_t power) {
  const auto& counts = (*other.counts_)[power];
  if (counts == nullptr) return;
  for (std::size_t i = 0; i < half; ++i) {
    if ((*counts)[i] != 0) count(power * half + i, (*counts)[i]);
  }
}

void Distribution::add(const Distribution& other) {
  for (const std::uint16_t bucket : other.waiting_) wait(bucket);
  if (other.counts_ != nullptr) {
    for (std::size_t power = 0; power < powers_of_two; ++power) add_power(other, power);
  }
  count_ += other.count_;
  sum_ += other.sum_;
  max_ = std::max(max_, other.max_);
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

std::uint64_t Distribution::count_up_to(std::uint64_t value) const {
  if (value >= max_) return count_;
  const std::size_t last = bucket_of(value);
  std::uint64_t seen = 0;
  find_bucket([&](std::size_t bucket, std::uint64_t count) {
    if (bucket > last) return true;
    seen += count;
    return false;
  });
  return seen;
}

std::array<std::uint64_t, 64> Distribution::powers() const {
  std::array<std::uint64_t, 64> powers{};
  find_bucket([&](std::size_t bucket, std::uint64_t count) {
    powers[static_cast<std::size_t>(std::bit_width(end_of(bucket) | 1)) - 1] += count;
    return false;
  });
  return powers;
}

}  // namespace perfsift
