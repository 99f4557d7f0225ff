// Intervals that were too long, each with all that is known about why.
#pragma once

#include <cstdint>

#include "tools/offcpu/names.h"
#include "tools/offcpu/recent_history.h"
#include "tools/text_writer.h"

namespace perfsift::offcpu {

class SpikeList : public SchedulerListener {
 public:
  // `at_once`: somebody waits to see each.
  SpikeList(std::uint64_t threshold, const RecentHistory& history, Names& names, tools::TextWriter& out, bool at_once)
      : threshold_(threshold), history_(history), names_(names), out_(out), at_once_(at_once) {}

  // Writes those of at least the threshold, in the order in which they end.
  void interval(const Interval& interval) override;

  std::uint64_t count() const { return count_; }

 private:
  void write_stack(std::string_view title, StackId stack);
  void write_waker(const Interval& interval);
  void write_meanwhile(const Interval& interval);
  void write_samples(const Interval& interval);

  const std::uint64_t threshold_;
  const RecentHistory& history_;
  Names& names_;
  tools::TextWriter& out_;
  const bool at_once_;
  std::uint64_t count_ = 0;
};

}  // namespace perfsift::offcpu
