// The threads whose intervals count: those that a flight recorder records.
#pragma once

#include <cstdint>
#include <set>

#include "analysis/offcpu/dispatcher.h"
#include "reader/records/process.h"
#include "record/session.h"

namespace perfsift::tools {

// Follows processes that recorded ones start. Not thread-safe.
class IntervalTargets : public offcpu::Selection {
 public:
  IntervalTargets(const record::SessionPlan& plan, const record::Session& session);

  // Must be set before the first interval, and live longer.
  void see(const offcpu::Scheduler& scheduler) { scheduler_ = &scheduler; }
  void note(const reader::Task& fork);

  bool keeps(const offcpu::Interval& interval) override;
  bool keeps(const offcpu::OffCpuSum&) override { return false; }

 private:
  const offcpu::Scheduler* scheduler_ = nullptr;
  const bool all_, inherited_, of_threads_;
  const std::int32_t own_;
  std::set<std::int32_t> numbers_;  // pids; tids if threads are recorded
};

}  // namespace perfsift::tools
