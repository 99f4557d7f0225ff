// How far the stacks of intervals can be trusted.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/collect/stack_quality.h"
#include "analysis/offcpu/consumer.h"
#include "analysis/offcpu/interval_groups.h"
#include "analysis/offcpu/stack_table.h"
#include "reader/recording.h"

namespace perfsift::offcpu {

// Counts the stack of each interval, and of each sum made by BPF, as the stack of a sample. Stacks of wakers do not
// count. Not thread-safe. All constructor arguments must live longer.
class IntervalQuality : public Consumer {
 public:
  IntervalQuality(const reader::Recording& recording, symbolize::Symbolizer& symbolizer, const StackTable& stacks);

  void interval(const Interval& interval) override { count(interval.stack, interval.count); }
  void sum(const OffCpuSum& sum) override { count(sum.stack, 1); }
  // Counts the intervals and sums of the groups, for callers that have groups: then interval() and sum() need no calls.
  void add(std::span<const IntervalGroup* const> groups) {
    for (const IntervalGroup* const group : groups) count(group->first.stack, group->sums.count);
  }
  // Must be called before stacks get new numbers.
  void forget_stacks();

  // Must be called once, after the last interval.
  analysis::Quality quality();

 private:
  void count(StackId stack, std::uint64_t intervals) {
    seen_.samples += intervals;
    if (counts_.size() <= stack) make_room_for(stack);
    counts_[stack] += intervals;
  }
  void make_room_for(StackId stack);
  void judge(StackId stack, std::uint64_t intervals);

  const reader::Recording& recording_;
  const StackTable& stacks_;
  std::vector<std::uint64_t> counts_;  // by StackId
  analysis::StackQuality qualities_;
  analysis::Quality seen_;
};

}  // namespace perfsift::offcpu
