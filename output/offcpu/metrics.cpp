#include "output/offcpu/metrics.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "output/offcpu/metric_text.h"

namespace perfsift::output {
namespace {

// Names may have any bytes, and labels are UTF-8: characters that are not printable ASCII become ?.
std::string label_value(std::string_view text) {
  const bool plain = std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
  if (plain) return std::string(text);
  std::string value;
  for (const char c : text) {
    if (c == '"' || c == '\\') value += '\\';
    value += c >= ' ' && c <= '~' ? c : '?';
  }
  return value;
}

}  // namespace

void Metrics::add(const offcpu::Interval& interval) {
  std::uint64_t limit = options_.notice;
  for (std::uint64_t& count : by_severity_) {
    if (interval.length() >= limit) count += interval.count;
    limit *= 10;
  }
  if (!interval.is_whole()) return;
  off_cpu_.add(interval.length(), interval.count);
  if (interval.run_queue_is_known()) run_queue_.add(interval.run_queue, interval.count);
}

void Metrics::add(const offcpu::Interval& interval, std::string_view comm, std::string_view kind) {
  if (!interval.is_whole()) return;
  Series& series = series_of(comm, kind);
  series.off_cpu.add(interval.length(), interval.count);
  if (!interval.state.is_runnable()) series.blocked.add(interval.blocked, interval.count);
  if (interval.run_queue_is_known()) series.run_queue.add(interval.run_queue, interval.count);
}

Metrics::Series& Metrics::series_of(std::string_view comm, std::string_view kind) {
  constexpr std::string_view others = "[other]";
  const auto labels_of = [&](std::string_view name) {
    return fmt::format("comm=\"{}\",kind=\"{}\"", label_value(name), kind);
  };
  std::string labels = labels_of(comm);
  auto known = known_series_.find(labels);
  if (known == known_series_.end() && pairs_ >= options_.series) known = known_series_.find(labels = labels_of(others));
  if (known != known_series_.end()) return series_[known->second];
  if (pairs_ < options_.series) ++pairs_;
  known_series_.emplace(labels, series_.size());
  return series_.emplace_back(Series{std::move(labels), Histogram(bounds_), Histogram(bounds_), Histogram(bounds_)});
}

// Pairs that cannot happen have no histogram: a preempted thread is never blocked.
void Metrics::append_histogram(std::string& text, const Series& series, std::string_view part,
                               const Histogram& histogram) const {
  if (histogram.count() == 0) return;
  const std::string labels = fmt::format("part=\"{}\",{}", part, series.labels);
  std::uint64_t up_to = 0;
  for (std::size_t i = 0; i < histogram.counts().size(); ++i) {
    up_to += histogram.counts()[i];
    text += fmt::format("perfsift_offcpu_seconds_bucket{{{},le=\"{}\"}} {}\n", labels, bounds_.seconds()[i], up_to);
  }
  text += fmt::format("perfsift_offcpu_seconds_bucket{{{},le=\"+Inf\"}} {}\n", labels, histogram.count());
  text += fmt::format("perfsift_offcpu_seconds_sum{{{}}} {:.9f}\n", labels,
                      static_cast<double>(histogram.sum()) / nanoseconds_per_second);
  text += fmt::format("perfsift_offcpu_seconds_count{{{}}} {}\n", labels, histogram.count());
}

std::string Metrics::text(const offcpu::SchedulerCounts& counts, std::uint64_t recent_max) const {
  std::string text;
  append_metric(text, "seconds", "histogram",
                "Time that threads were off their CPUs, by part of it, name of the thread and way of waiting.");
  for (const Series& series : series_) {
    append_histogram(text, series, "blocked", series.blocked);
    append_histogram(text, series, "run_queue", series.run_queue);
    append_histogram(text, series, "off_cpu", series.off_cpu);
  }
  append_metric(text, "max_seconds", "gauge", "The longest time off a CPU since the beginning.");
  text +=
      fmt::format("perfsift_offcpu_max_seconds {:.9f}\n", static_cast<double>(off_cpu_.max()) / nanoseconds_per_second);
  append_metric(text, "recent_max_seconds", "gauge", "The longest time off a CPU that ended since the metrics before.");
  text += fmt::format("perfsift_offcpu_recent_max_seconds {:.9f}\n",
                      static_cast<double>(recent_max) / nanoseconds_per_second);
  append_metric(text, "long_intervals_total", "counter", "Intervals off a CPU that were at least so long.");
  std::uint64_t limit = options_.notice;
  for (std::size_t i = 0; i < severities.size(); ++i, limit *= 10) {
    text += fmt::format("perfsift_offcpu_long_intervals_total{{severity=\"{}\",at_least_seconds=\"{}\"}} {}\n",
                        severities[i], static_cast<double>(limit) / nanoseconds_per_second, by_severity_[i]);
  }
  if (!options_.filtered) {
    append_counter(text, "switches_total", "Times that a thread left its CPU.", counts.switches);
    append_counter(text, "wakeups_total", "Wakeups.", counts.wakeups);
  }
  append_counter(text, "lost_records_total", "Records that the recording lost.", counts.losses);
  append_counter(text, "contradictions_total", "Gaps in which switches are missing.", counts.contradictions);
  return text;
}

}  // namespace perfsift::output
