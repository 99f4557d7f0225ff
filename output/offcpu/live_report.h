// A line for each second, or another period, of a recording in progress. Memory does not grow with time.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "analysis/offcpu/consumer.h"
#include "analysis/offcpu/names.h"
#include "analysis/offcpu/wait_kinds.h"
#include "base/distribution.h"
#include "output/offcpu/metrics.h"
#include "output/text_writer.h"

namespace perfsift::output {

class LiveReport : public offcpu::Consumer {
 public:
  using Publish = std::function<void(const std::string& metrics)>;

  // `publish`: takes the metrics as text; empty: metrics are not wanted. With filters, intervals are counted instead of
  // switches. `second`: called after each line, when the report refers to nothing that had ended by then.
  LiveReport(const MetricsOptions& options, offcpu::Names& names, offcpu::WaitKinds& waits, TextWriter& out,
             Publish publish, std::function<void()> second);

  void interval(const offcpu::Interval& interval) override;
  void moment(std::uint64_t time) override;

  // Call it when stacks get new numbers: earlier stacks no longer count for the current line.
  void forget_stacks() { by_stack_.clear(); }

  // Writes a line for the time after the last whole period, a line of totals, and the lines of quality_lines().
  void finish(const std::vector<std::string>& notes);

 private:
  void write_line();
  std::string counted_events(std::uint64_t switches, std::uint64_t intervals) const;
  void write_distribution(const char* name, const Distribution& distribution);
  void write_most();
  void publish_metrics();

  const std::uint64_t period_;
  const bool filtered_;
  offcpu::Names& names_;
  offcpu::WaitKinds& waits_;
  TextWriter& out_;
  const Publish publish_;
  const std::function<void()> second_;
  Metrics all_;
  // The end of the current period.
  std::uint64_t end_ = 0;
  std::uint64_t switches_before_ = 0;
  std::uint64_t intervals_ = 0;
  std::uint64_t all_intervals_ = 0;
  Distribution off_cpu_, run_queue_;
  std::unordered_map<offcpu::StackId, std::uint64_t> by_stack_;
};

}  // namespace perfsift::output
