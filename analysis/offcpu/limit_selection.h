// Selects intervals by the limits of an IntervalFilter: threads, lengths, states.
#pragma once

#include <cstdint>

#include "analysis/offcpu/dispatcher.h"
#include "analysis/offcpu/interval_filter.h"
#include "analysis/offcpu/names.h"
#include "analysis/offcpu/scheduler.h"

namespace perfsift::offcpu {

// Not thread-safe. The filter, the scheduler and the names must live longer.
class LimitSelection : public Selection {
 public:
  LimitSelection(const IntervalFilter& filter, const Scheduler& scheduler, const Names& names)
      : filter_(filter), scheduler_(scheduler), names_(names) {}

  // Whether the thread is within the limits, by its latest properties.
  bool keeps(const ThreadClock& thread) const { return filter_.keeps(thread, names_, scheduler_.now()); }
  bool keeps(const Interval& interval) override {
    return filter_.keeps(interval) && filter_.keeps(scheduler_.threads()[interval.thread], names_, interval.end);
  }
  // A sum has no length and no state, and its thread may be unknown to the scheduler.
  bool keeps(const OffCpuSum& sum) override {
    const std::uint32_t name = sum.stack != no_stack ? names_.name_of_stack(sum.stack) : 0;
    return filter_.keeps({.tid = sum.tid, .pid = sum.pid, .name = name}, names_, ~std::uint64_t{0});
  }

 private:
  const IntervalFilter& filter_;
  const Scheduler& scheduler_;
  const Names& names_;
};

}  // namespace perfsift::offcpu
