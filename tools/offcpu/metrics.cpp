#include "tools/offcpu/metrics.h"

#include <string_view>

#include <fmt/format.h>

namespace perfsift::offcpu {
namespace {

constexpr double nanoseconds_per_second = 1e9;

void append_histogram(std::string& text, std::string_view part, const Distribution& distribution) {
  struct Bound {
    const char* seconds;
    std::uint64_t nanoseconds;
  };
  static constexpr Bound bounds[] = {{"1e-06", 1'000},     {"1e-05", 10'000},     {"0.0001", 100'000},
                                     {"0.001", 1'000'000}, {"0.01", 10'000'000},  {"0.1", 100'000'000},
                                     {"1", 1'000'000'000}, {"10", 10'000'000'000}};
  for (const Bound& bound : bounds) {
    text += fmt::format("perfsift_offcpu_seconds_bucket{{part=\"{}\",le=\"{}\"}} {}\n", part, bound.seconds,
                        distribution.up_to(bound.nanoseconds));
  }
  text += fmt::format("perfsift_offcpu_seconds_bucket{{part=\"{}\",le=\"+Inf\"}} {}\n", part, distribution.count());
  text += fmt::format("perfsift_offcpu_seconds_sum{{part=\"{}\"}} {:.9f}\n", part,
                      static_cast<double>(distribution.sum()) / nanoseconds_per_second);
  text += fmt::format("perfsift_offcpu_seconds_count{{part=\"{}\"}} {}\n", part, distribution.count());
}

void append_metric(std::string& text, std::string_view name, std::string_view type, std::string_view help) {
  text += fmt::format("# HELP perfsift_offcpu_{} {}\n# TYPE perfsift_offcpu_{} {}\n", name, help, name, type);
}

void append_counter(std::string& text, std::string_view name, std::string_view help, std::uint64_t value) {
  append_metric(text, name, "counter", help);
  text += fmt::format("perfsift_offcpu_{} {}\n", name, value);
}

}  // namespace

void Metrics::add(const Interval& interval) {
  std::uint64_t limit = notice_;
  for (std::uint64_t& count : by_severity_) {
    if (interval.length() >= limit) ++count;
    limit *= 10;
  }
  if (!interval.is_whole()) return;
  off_cpu_.add(interval.length());
  if (!interval.state.is_runnable()) blocked_.add(interval.blocked);
  if (interval.run_queue_is_known()) run_queue_.add(interval.run_queue);
}

std::string Metrics::text(const SchedulerCounts& counts, std::uint64_t recent_max) const {
  std::string text;
  append_metric(text, "seconds", "histogram", "Time that threads were off their CPUs, by what for.");
  append_histogram(text, "blocked", blocked_);
  append_histogram(text, "run_queue", run_queue_);
  append_histogram(text, "off_cpu", off_cpu_);
  append_metric(text, "max_seconds", "gauge", "The longest time off a CPU since the beginning.");
  text +=
      fmt::format("perfsift_offcpu_max_seconds {:.9f}\n", static_cast<double>(off_cpu_.max()) / nanoseconds_per_second);
  append_metric(text, "recent_max_seconds", "gauge", "The longest time off a CPU that ended in the last second.");
  text += fmt::format("perfsift_offcpu_recent_max_seconds {:.9f}\n",
                      static_cast<double>(recent_max) / nanoseconds_per_second);
  append_metric(text, "long_intervals_total", "counter", "Intervals off a CPU that were at least so long.");
  std::uint64_t limit = notice_;
  for (std::size_t i = 0; i < severities.size(); ++i, limit *= 10) {
    text += fmt::format("perfsift_offcpu_long_intervals_total{{severity=\"{}\",at_least_seconds=\"{}\"}} {}\n",
                        severities[i], static_cast<double>(limit) / nanoseconds_per_second, by_severity_[i]);
  }
  append_counter(text, "switches_total", "Times that a thread left its CPU.", counts.switches);
  append_counter(text, "wakeups_total", "Wakeups.", counts.wakeups);
  append_counter(text, "lost_records_total", "Records that the recording lost.", counts.losses);
  append_counter(text, "contradictions_total", "Switches that cannot follow what was known: others are missing.",
                 counts.contradictions);
  return text;
}

}  // namespace perfsift::offcpu
