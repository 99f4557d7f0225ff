// The contents of a report: the intervals of all threads, summed by thread, stack, kind of wait, waker and preemptor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/offcpu/consumer.h"
#include "analysis/offcpu/interval_groups.h"
#include "analysis/offcpu/interval_sums.h"
#include "analysis/offcpu/wait_chains.h"
#include "analysis/offcpu/wait_kinds.h"
#include "base/distribution.h"

namespace perfsift::offcpu {

// The sums of the intervals with the same kinds of wait.
struct WaitSums {
  std::uint64_t kinds = 0;  // a set of filter::WaitKind; 0: unknown
  IntervalSums sums;
};

class Analysis : public Consumer {
 public:
  // The scheduler must live as long as this object.
  explicit Analysis(const Scheduler& scheduler) : scheduler_(scheduler) {}

  void interval(const Interval& interval) override;
  void sum(const OffCpuSum& sum) override;

  // Must be called after the last interval. The results below are complete only then.
  void finish(WaitKinds& waits);

  const IntervalSums& all() const { return all_; }
  // The incomplete intervals among all(): an end was not seen, or records were lost. No distribution has them.
  const IntervalSums& cut() const { return cut_; }
  // Sums that BPF measured over the whole recording; not in all().
  const IntervalSums& measured() const { return measured_; }

  // Nanoseconds, of complete intervals. blocked(): of intervals that blocked. run_queue(): where the run-queue time is
  // known.
  const Distribution& blocked() const { return blocked_; }
  const Distribution& run_queue() const { return run_queue_; }
  const Distribution& off_cpu() const { return off_cpu_; }

  // Sums of intervals. by_stack(): by StackId. By ThreadNumber: by_thread() by the thread itself, by_waker() by the
  // thread whose wakeup ended the wait, by_preemptor() by the thread that took the CPU from a runnable thread.
  const std::vector<IntervalSums>& by_stack() const { return by_stack_; }
  const std::vector<IntervalSums>& by_thread() const { return by_thread_; }
  const std::vector<WaitSums>& by_wait() const { return by_wait_; }  // largest total time first
  std::span<const IntervalGroup* const> groups() const { return groups_.all(); }
  // The thread's off-CPU times; nullptr: the thread has no complete interval.
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
