// Which intervals an expression keeps: offcpu --filter.
#pragma once

#include "analysis/offcpu/dispatcher.h"
#include "analysis/offcpu/interval_facts.h"
#include "analysis/samples/sample_filter.h"
#include "filter/filter.h"

namespace perfsift::offcpu {

// Not thread-safe. All it is made of must live longer.
class IntervalSelection : public Selection {
 public:
  // `filter`: of intervals. Throws UsageError where it asks of a stream what only its end tells.
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
