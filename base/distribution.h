// The distribution of durations: percentiles, and a histogram by powers of two.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace perfsift {

// How many values a meaningful percentile needs: for P99, the one in a hundred above it must exist.
constexpr std::uint64_t needed_for(double percent) { return static_cast<std::uint64_t>(100 / (100 - percent) + 0.5); }

// Counts values in buckets whose width is at most 1/128 of their value. Memory is bounded: 1 KB for each power of two
// that occurs, and much less for few values, as for most threads. Values below 256 and the maximum are exact.
class Distribution {
 public:
  void add(std::uint64_t value) {
    ++count_;
    sum_ += value;
    if (value > max_) max_ = value;
    wait(static_cast<std::uint16_t>(bucket_of(value)));
  }

  // Adds a value `times` times.
  void add(std::uint64_t value, std::uint64_t times) {
    if (times == 1) return add(value);
    if (times == 0) return;
    count_ += times;
    sum_ += value * times;
    if (value > max_) max_ = value;
    count(bucket_of(value), times);
  }
  void add(const Distribution& other);

  std::uint64_t count() const { return count_; }
  std::uint64_t sum() const { return sum_; }
  std::uint64_t max() const { return max_; }
  // The smallest value for which at least `percent` of all values are not larger, rounded up to the end of its bucket;
  // 0 without values.
  std::uint64_t percentile(double percent) const;
  // percentile(); nothing where there are fewer values than needed_for(percent).
  std::optional<std::uint64_t> known_percentile(double percent) const {
    return count_ >= needed_for(percent) ? std::optional(percentile(percent)) : std::nullopt;
  }
  // How many values are not larger, with the precision of the buckets.
  std::uint64_t count_up_to(std::uint64_t value) const;
  // powers()[i] is the number of values of at least 2^i and less than 2^(i+1); powers()[0] includes the value 0.
  std::array<std::uint64_t, 64> powers() const;

 private:
  static constexpr unsigned exact_bits = 8;  // values of up to 8 bits have a bucket each
  static constexpr std::size_t half = std::size_t{1} << (exact_bits - 1);
  static constexpr std::size_t powers_of_two = 64 - exact_bits + 2;
  static constexpr std::size_t most_waiting = 512;  // takes as much memory as one power of two
  static_assert(powers_of_two * half <= std::size_t{1} << 16);
  // Counts by power of two; nullptr: all counts are 0.
  using Counts = std::array<std::unique_ptr<std::array<std::uint64_t, half>>, powers_of_two>;

  static std::size_t bucket_of(std::uint64_t value) {
    const int shift = std::bit_width(value) - static_cast<int>(exact_bits);
    return shift <= 0 ? value : static_cast<std::size_t>(shift) * half + (value >> shift);
  }
  // The largest value in the bucket.
  static std::uint64_t end_of(std::size_t bucket) {
    if (bucket < 2 * half) return bucket;
    const std::size_t shift = bucket / half - 1;
    return ((bucket % half + half + 1) << shift) - 1;
  }

  // Calls f(bucket, count) for each bucket that is not empty, smallest values first, until f returns true. A bucket may
  // come several times.
  template <typename F>
  void find_bucket(F&& f) const {
    std::vector<std::uint16_t> waiting = waiting_;
    std::ranges::sort(waiting);
    auto next = waiting.begin();
    const auto waiting_up_to = [&](std::size_t bucket) {
      for (; next != waiting.end() && *next <= bucket; ++next) {
        if (f(std::size_t{*next}, std::uint64_t{1})) return true;
      }
      return false;
    };
    for (std::size_t power = 0; counts_ != nullptr && power < powers_of_two; ++power) {
      const auto& counts = (*counts_)[power];
      if (counts == nullptr) continue;
      for (std::size_t i = 0; i < half; ++i) {
        const std::size_t bucket = power * half + i;
        if ((*counts)[i] != 0 && (waiting_up_to(bucket) || f(bucket, (*counts)[i]))) return;
      }
    }
    waiting_up_to(powers_of_two * half);
  }

  void wait(std::uint16_t bucket) {
    if (waiting_.size() == most_waiting) count_waiting();
    waiting_.push_back(bucket);
  }
  void add_power(const Distribution& other, std::size_t power);
  void count_waiting();
  void count(std::size_t bucket, std::uint64_t values) {
    const std::size_t power = bucket / half;
    if (counts_ == nullptr || (*counts_)[power] == nullptr) make_room_for(power);
    (*(*counts_)[power])[bucket % half] += values;
  }
  void make_room_for(std::size_t power);

  // The buckets of the latest values, which may be all values. They are counted many at once, because each value needs
  // another cache line: with a thousand threads, the lines of one thread are no longer cached when its next value
  // comes.
  std::vector<std::uint16_t> waiting_;
  std::unique_ptr<Counts> counts_;  // of the earlier values
  std::uint64_t count_ = 0;
  std::uint64_t sum_ = 0;
  std::uint64_t max_ = 0;
};

}  // namespace perfsift
