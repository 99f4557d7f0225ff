// What a report tells: the intervals of all threads, added up in every way that names a culprit.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tools/offcpu/consumer.h"
#include "tools/offcpu/distribution.h"
#include "tools/offcpu/wait_chains.h"

namespace perfsift::offcpu {

struct IntervalSums {
  std::uint64_t count = 0;
  std::uint64_t blocked = 0;
  std::uint64_t run_queue = 0;
  std::uint64_t unknown = 0;
  std::uint64_t longest = 0;

  void add(const Interval& interval) {
    ++count;
    blocked += interval.blocked;
    run_queue += interval.run_queue;
    unknown += interval.unknown;
    if (interval.length() > longest) longest = interval.length();
  }
  std::uint64_t total() const { return blocked + run_queue + unknown; }
};

class Analysis : public Consumer {
 public:
  // The scheduler must live as long.
  explicit Analysis(const Scheduler& scheduler) : scheduler_(scheduler) {}

  void interval(const Interval& interval) override;
  void sum(const OffCpuSum& sum) override;

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
  const std::vector<IntervalSums>& by_waker() const { return by_waker_; }
  const std::vector<IntervalSums>& by_preemptor() const { return by_preemptor_; }
  const WaitChains& chains() const { return chains_; }

 private:
  const Scheduler& scheduler_;
  IntervalSums all_, cut_, measured_;
  Distribution blocked_, run_queue_, off_cpu_;
  std::vector<IntervalSums> by_stack_, by_thread_, by_waker_, by_preemptor_;
  WaitChains chains_;
};

// The indexes of the largest, those of the longest time first; none of those without any.
std::vector<std::uint32_t> top(const std::vector<IntervalSums>& sums, std::size_t count);

}  // namespace perfsift::offcpu
