// Counts of durations for a monitoring system: buckets whose bounds grow by a factor.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace perfsift::output {

// Bounds from 1 us on, each `factor` times the bound before, up to the first bound of at least a minute.
class HistogramBounds {
 public:
  static constexpr double least_factor = 1.1, greatest_factor = 10;

  // `factor`: within the two limits above.
  explicit HistogramBounds(double factor);

  const std::vector<std::uint64_t>& nanoseconds() const { return nanoseconds_; }
  // The bounds as Prometheus writes them: "0.000512".
  const std::vector<std::string>& seconds() const { return seconds_; }

 private:
  std::vector<std::uint64_t> nanoseconds_;
  std::vector<std::string> seconds_;
};

class Histogram {
 public:
  // `bounds` must outlive the object.
  explicit Histogram(const HistogramBounds& bounds) : bounds_(&bounds), counts_(bounds.nanoseconds().size()) {}

  void add(std::uint64_t nanoseconds, std::uint64_t times = 1);

  // For each bound, the number of durations up to the bound and above the previous one. Longer ones count in count().
  const std::vector<std::uint64_t>& counts() const { return counts_; }
  std::uint64_t count() const { return count_; }
  std::uint64_t sum() const { return sum_; }

 private:
  const HistogramBounds* bounds_;
  std::vector<std::uint64_t> counts_;
  std::uint64_t count_ = 0;
  std::uint64_t sum_ = 0;
};

}  // namespace perfsift::output
