// Figures of time off CPUs for a monitoring system, in Prometheus' text format 0.0.4.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analysis/offcpu/interval.h"
#include "analysis/offcpu/scheduler.h"
#include "base/distribution.h"
#include "base/duration.h"
#include "output/offcpu/histogram.h"

namespace perfsift::output {

struct MetricsOptions {
  std::uint64_t notice = 1'000'000;  // how bad an interval is: at least that, ten times that, a hundred times
  double factor = 2;                 // of the bounds of buckets
  // The most pairs of comm and kind with a histogram of their own; the other pairs of a kind share one.
  std::size_t series = 64;
  std::uint64_t period = one_second;  // nanoseconds between two lines of the live report, and between two metrics
  bool filtered = false;              // switches and wakeups are not only of the intervals that count
};

// All figures count from the beginning, except the maxima since the metrics before.
class Metrics {
 public:
  explicit Metrics(const MetricsOptions& options) : options_(options), bounds_(options.factor) {}
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;

  void add(const offcpu::Interval& interval);
  // Adds an interval to the histograms. `comm`: the thread's name; `kind`: how the thread waited.
  void add(const offcpu::Interval& interval, std::string_view comm, std::string_view kind);
  std::string text(const offcpu::SchedulerCounts& counts, std::uint64_t recent_max) const;

  const Distribution& off_cpu() const { return off_cpu_; }
  const Distribution& run_queue() const { return run_queue_; }

 private:
  static constexpr std::array<const char*, 3> severities = {"notice", "warning", "critical"};

  struct Series {
    std::string labels;
    Histogram blocked, run_queue, off_cpu;
  };

  Series& series_of(std::string_view comm, std::string_view kind);
  void append_histogram(std::string& text, const Series& series, std::string_view part,
                        const Histogram& histogram) const;

  const MetricsOptions options_;
  const HistogramBounds bounds_;
  std::array<std::uint64_t, severities.size()> by_severity_{};
  Distribution run_queue_, off_cpu_;
  std::vector<Series> series_;
  std::unordered_map<std::string, std::size_t> known_series_;  // by labels
  std::size_t pairs_ = 0;                                      // of series_ those that are of one comm
};

}  // namespace perfsift::output
