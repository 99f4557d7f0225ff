// What a report tells: the intervals of all threads, added up in every way that names a culprit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/offcpu/consumer.h"
#include "analysis/offcpu/distribution.h"
#include "analysis/offcpu/interval_groups.h"
#include "analysis/offcpu/interval_sums.h"
#include "analysis/offcpu/wait_chains.h"
#include "analysis/offcpu/wait_kinds.h"

namespace perfsift::offcpu {

// Intervals by how they waited.
struct WaitSums {
  std::uint64_t kinds = 0;  // of filter::WaitKind; 0: not known
  IntervalSums sums;
};

class Analysis : public Consumer {
 public:
  // The scheduler must live as long.
  explicit Analysis(const Scheduler& scheduler) : scheduler_(scheduler) {}

  void interval(const Interval& interval) override;
  void sum(const OffCpuSum& sum) override;

  // After the last interval: what this tells is known from then on.
  void finish(WaitKinds& waits);

  const IntervalSums& all() const { return all_; }
  // Of all(): those of which an end was not seen, or records were lost in. They are in no distribution.
  const IntervalSums& cut() const { return cut_; }
  // That BPF measured, of the whole recording: not in all().
  const IntervalSums& measured() const { return measured_; }

  // Nanoseconds, of whole intervals. Blocked: of those that were; run queue: where it is known.
  const Distribution& blocked() const { return blocked_; }
  const Distribution& run_queue() const { return run_queue_; }
  const Distribution& off_cpu() const { return off_cpu_; }

  // By StackId; by ThreadNumber: the intervals of a thread, those it ended by waking, and those of threads that would
  // have liked to stay when it took their CPU.
  const std::vector<IntervalSums>& by_stack() const { return by_stack_; }
  const std::vector<IntervalSums>& by_thread() const { return by_thread_; }
  const std::vector<WaitSums>& by_wait() const { return by_wait_; }  // the longest time first
  std::span<const IntervalGroup* const> groups() const { return groups_.all(); }
  // Off the CPU; nullptr: the thread has no whole interval.
  const Distribution* off_cpu_of(ThreadNumber thread) const {
    return thread < off_cpu_of_.size() && off_cpu_of_[thread].count() != 0 ? &off_cpu_of_[thread] : nullptr;
  }
  const std::vector<IntervalSums>& by_waker() const { return by_waker_; }
  const std::vector<IntervalSums>& by_preemptor() const { return by_preemptor_; }
  const WaitChains& chains() const { return chains_; }

 private:
  const Scheduler& scheduler_;
  IntervalSums all_, cut_, measured_;
  Distribution blocked_, run_queue_, off_cpu_;
  IntervalGroups groups_;
  std::vector<Distribution> off_cpu_of_;  // by ThreadNumber
  std::vector<IntervalSums> by_stack_, by_thread_, by_waker_, by_preemptor_;
  std::vector<WaitSums> by_wait_;
  WaitChains chains_;
};

}  // namespace perfsift::offcpu
