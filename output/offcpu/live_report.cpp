#include "output/offcpu/live_report.h"

#include <algorithm>
#include <utility>

#include "base/counted.h"
#include "base/duration.h"
#include "output/offcpu/duration_text.h"
#include "output/report/report_table.h"

namespace perfsift::output {

LiveReport::LiveReport(const MetricsOptions& options, offcpu::Names& names, offcpu::WaitKinds& waits, TextWriter& out,
                       Publish publish, std::function<void()> second_over)
    : period_(options.period),
      filtered_(options.filtered),
      names_(names),
      waits_(waits),
      out_(out),
      publish_(std::move(publish)),
      second_(std::move(second_over)),
      all_(options) {}

void LiveReport::interval(const offcpu::Interval& interval) {
  all_.add(interval);
  intervals_ += interval.count;
  all_intervals_ += interval.count;
  if (publish_) {
    const std::uint64_t kinds = waits_.of(interval);
    const bool is_named = names_.scheduler().threads()[interval.thread].name != 0;
    all_.add(interval, is_named ? names_.recorded_comm(interval.thread) : "",
             kinds != 0 ? filter::wait_name(kinds) : "unknown");
  }
  if (interval.stack != offcpu::no_stack) by_stack_[interval.stack] += interval.length() * interval.count;
  if (!interval.is_whole()) return;
  off_cpu_.add(interval.length(), interval.count);
  if (interval.run_queue_is_known()) run_queue_.add(interval.run_queue, interval.count);
}

void LiveReport::moment(std::uint64_t time) {
  if (end_ == 0) end_ = time + period_;
  if (time < end_) return;
  write_line();
  publish_metrics();
  out_.flush();
  // Periods in which nothing happened have no line.
  end_ = time + period_ - (time - end_) % period_;
  switches_before_ = names_.scheduler().counts().switches;
  off_cpu_ = {};
  run_queue_ = {};
  by_stack_.clear();
  intervals_ = 0;
  second_();
}

void LiveReport::finish(const std::vector<std::string>& notes) {
  if (names_.scheduler().counts().switches == 0) return;
  if (names_.scheduler().counts().switches != switches_before_) write_line();
  out_.format("all: {}", counted_events(names_.scheduler().counts().switches, all_intervals_));
  write_distribution("off CPU", all_.off_cpu());
  write_distribution("run queue", all_.run_queue());
  out_.text("\n");
  write_notes(notes, out_);
  publish_metrics();
  out_.flush();
}

void LiveReport::write_line() {
  out_.format("{}: {}", timestamp_text(end_).substr(0, timestamp_text(end_).size() - 6),
              counted_events(names_.scheduler().counts().switches - switches_before_, intervals_));
  write_distribution("off CPU", off_cpu_);
  write_distribution("run queue", run_queue_);
  write_most();
  out_.text("\n");
}

std::string LiveReport::counted_events(std::uint64_t switches, std::uint64_t intervals) const {
  return filtered_ ? perfsift::counted(intervals, "interval") : perfsift::counted(switches, "switch", "switches");
}

void LiveReport::write_distribution(const char* name, const Distribution& distribution) {
  const auto text = [&](double percent) {
    const auto duration = distribution.known_percentile(percent);
    return duration ? duration_text(*duration) : "-";
  };
  out_.format(", {} P50 {} P99 {} P99.9 {} max {}", name, text(50), text(99), text(99.9),
              distribution.count() != 0 ? duration_text(distribution.max()) : "-");
}

// The stack on which most time was spent, by its first frames that are not the scheduler's own.
void LiveReport::write_most() {
  const auto most = std::ranges::max_element(by_stack_, {}, [](const auto& one) { return one.second; });
  if (most == by_stack_.end()) return;
  out_.format(", most {} by {}", duration_text(most->second), names_.comm_of_stack(most->first));
  constexpr std::size_t enough = 3;
  std::size_t shown = 0;
  const offcpu::NamedStack& stack = names_.stack(most->first);
  for (const auto* part : {&stack.kernel, &stack.user}) {
    for (const analysis::FrameId frame : *part) {
      const std::string_view text = names_.frames().text(frame);
      if (shown == enough || text == "schedule" || text == "__schedule") continue;
      out_.format("{} {}", shown++ == 0 ? " in" : " <", text);
    }
  }
}

void LiveReport::publish_metrics() {
  if (publish_) publish_(all_.text(names_.scheduler().counts(), off_cpu_.max()));
}

}  // namespace perfsift::output
