// How long things took: percentiles, and a histogram by powers of two.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace perfsift::offcpu {

// Counts values in buckets that are at most 1/128 of their value wide, so in memory that does not grow. Values below
// 256 and the largest are exact.
class Distribution {
 public:
  void add(std::uint64_t value) {
    ++counts_[bucket_of(value)];
    ++count_;
    sum_ += value;
    if (value > max_) max_ = value;
  }
  void add(const Distribution& other);

  std::uint64_t count() const { return count_; }
  std::uint64_t sum() const { return sum_; }
  std::uint64_t max() const { return max_; }
  // The smallest value that at least `percent` of all are not larger than, rounded up to the end of its bucket; 0 of
  // nothing.
  std::uint64_t percentile(double percent) const;
  // How many have this bit as their highest: of powers()[i] are at least 2^i and less than 2^(i+1); 0 is with 1.
  std::array<std::uint64_t, 64> powers() const;
  // How many are at most so large, to the precision of a bucket.
  std::uint64_t up_to(std::uint64_t value) const;

 private:
  static constexpr unsigned exact_bits = 8;  // of values that have a bucket each
  static constexpr std::size_t half = std::size_t{1} << (exact_bits - 1);
  static constexpr std::size_t buckets = (64 - exact_bits + 2) * half;

  static std::size_t bucket_of(std::uint64_t value) {
    const int shift = std::bit_width(value) - static_cast<int>(exact_bits);
    return shift <= 0 ? value : static_cast<std::size_t>(shift) * half + (value >> shift);
  }
  // The largest value in it.
  static std::uint64_t end_of(std::size_t bucket) {
    if (bucket < 2 * half) return bucket;
    const std::size_t shift = bucket / half - 1;
    return ((bucket % half + half + 1) << shift) - 1;
  }

  std::array<std::uint64_t, buckets> counts_{};
  std::uint64_t count_ = 0;
  std::uint64_t sum_ = 0;
  std::uint64_t max_ = 0;
};

}  // namespace perfsift::offcpu
