// Figures of time off CPUs for a monitoring system, in Prometheus' text format 0.0.4.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "tools/offcpu/distribution.h"
#include "tools/offcpu/interval.h"
#include "tools/offcpu/scheduler.h"

namespace perfsift::offcpu {

// All since the beginning, but for the maxima of the last second.
class Metrics {
 public:
  // How bad an interval is: at least `notice`, ten times that, a hundred times.
  explicit Metrics(std::uint64_t notice) : notice_(notice) {}

  void add(const Interval& interval);
  std::string text(const SchedulerCounts& counts, std::uint64_t recent_max) const;

  const Distribution& off_cpu() const { return off_cpu_; }
  const Distribution& run_queue() const { return run_queue_; }

 private:
  static constexpr std::array<const char*, 3> severities = {"notice", "warning", "critical"};

  const std::uint64_t notice_;
  std::array<std::uint64_t, severities.size()> by_severity_{};
  Distribution blocked_, run_queue_, off_cpu_;
};

}  // namespace perfsift::offcpu
