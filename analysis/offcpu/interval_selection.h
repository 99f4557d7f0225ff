// Selects intervals by an expression: offcpu --filter.
#pragma once

#include "analysis/offcpu/dispatcher.h"
#include "analysis/offcpu/interval_facts.h"
#include "analysis/samples/sample_filter.h"
#include "filter/filter.h"

namespace perfsift::offcpu {

// Not thread-safe. All constructor arguments must live longer.
class IntervalSelection : public Selection {
 public:
  // `filter`: an expression about intervals. Throws UsageError if the expression needs the end of a stream.
  IntervalSelection(const filter::Filter& filter, const reader::Recording& recording, IntervalFacts& facts)
      : filter_(filter), facts_(facts), state_(filter, analysis::times_for(filter, recording)) {}

  bool keeps(const Interval& interval) override {
    facts_.set(interval);
    return filter_.keeps(facts_, state_);
  }
  bool keeps(const OffCpuSum& sum) override {
    facts_.set(sum);
    return filter_.keeps(facts_, state_);
  }

 private:
  const filter::Filter& filter_;
  IntervalFacts& facts_;
  filter::FilterState state_;
};

}  // namespace perfsift::offcpu
