// What happens now, a line a second, in memory that does not grow with the time it runs.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>

#include "tools/offcpu/consumer.h"
#include "tools/offcpu/distribution.h"
#include "tools/offcpu/metrics.h"
#include "tools/offcpu/metrics_target.h"
#include "tools/offcpu/names.h"
#include "tools/offcpu/wait_kinds.h"
#include "tools/text_writer.h"

namespace perfsift::offcpu {

class LiveReport : public Consumer {
 public:
  // `target`: nullptr, or where metrics go. With filters intervals are counted, and not switches. `second`: called
  // after each line, when nothing is referred to any more of what had ended by then.
  LiveReport(const MetricsOptions& options, Names& names, WaitKinds& waits, tools::TextWriter& out,
             MetricsTarget* target, std::function<void()> second);

  void interval(const Interval& interval) override;
  void moment(std::uint64_t time) override;

  // The stacks have other numbers from now on: those before are not among the most of this second.
  void forget_stacks() { by_stack_.clear(); }

  // The line of what came after the last whole second, and one of all.
  void finish();

 private:
  void write_line();
  std::string counted_events(std::uint64_t switches, std::uint64_t intervals) const;
  void write_distribution(const char* name, const Distribution& distribution);
  void write_most();
  void publish();

  const bool filtered_;
  Names& names_;
  WaitKinds& waits_;
  tools::TextWriter& out_;
  MetricsTarget* const target_;
  const std::function<void()> second_;
  Metrics all_;
  // Of this second.
  std::uint64_t end_ = 0;
  std::uint64_t switches_before_ = 0;
  std::uint64_t intervals_ = 0;
  std::uint64_t all_intervals_ = 0;
  Distribution off_cpu_, run_queue_;
  std::unordered_map<StackId, std::uint64_t> by_stack_;
};

}  // namespace perfsift::offcpu
