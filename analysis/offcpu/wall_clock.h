// All the time of all threads as one set of stacks: on-CPU time from samples, off-CPU time from intervals.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "analysis/offcpu/consumer.h"
#include "analysis/offcpu/interval_sums.h"
#include "analysis/offcpu/names.h"
#include "analysis/profile/profile.h"

namespace perfsift::offcpu {

// Frames that mark on-CPU time.
inline constexpr const char* on_cpu_frame = "[on CPU]";
inline constexpr const char* not_sampled_frame = "[on CPU: not sampled]";

// Distributes the time that threads ran among their samples: each sample stands for the time that its thread has run
// since the sample before. So the sum is exactly the threads' run time, for any sampling rate.
class RunningStacks : public Consumer {
 public:
  explicit RunningStacks(const Scheduler& scheduler) : scheduler_(scheduler) {}

  void slice(const Slice& slice) override;
  void sample(const OtherSample& sample) override;

  // For the threads in `kept`, by ThreadNumber. sampled(): the nanoseconds with a stack. not_sampled(): the nanoseconds
  // after which the thread was never sampled. fill() adds both as stacks.
  std::uint64_t sampled(const std::vector<bool>& kept) const;
  std::uint64_t not_sampled(const std::vector<bool>& kept) const;
  void fill(analysis::Profile& profile, Names& names, std::uint64_t unit, const std::vector<bool>& kept) const;

 private:
  struct Piece {
    StackId stack = no_stack;
    std::uint64_t time = 0;
  };
  // The run time of a thread that is not assigned to stacks yet.
  struct Account {
    std::uint64_t not_shared = 0;  // in earlier slices
    std::uint64_t slice_start = 0;
    std::uint64_t shared_until = 0;
    std::vector<Piece> pieces;  // of this slice: counted once slice() confirms it
  };

  Account& account(ThreadNumber thread);

  const Scheduler& scheduler_;
  std::vector<Account> accounts_;                              // by ThreadNumber
  std::unordered_map<std::uint64_t, std::uint64_t> by_stack_;  // by ThreadNumber and StackId
};

// Checks that times add up, in nanoseconds and without rounding. `stacks`: the sum of all stacks.
struct WallClockCheck {
  ThreadTimes times;
  std::uint64_t threads = 0;
  std::uint64_t wall = 0;
  std::uint64_t not_alive = 0;  // before threads were created and after they ended
  std::uint64_t stacks = 0;
  std::optional<std::uint64_t> left_out;  // off-CPU time of intervals that filters leave out; not in `times`

  bool holds() const { return times.total() == stacks && total() == wall * threads; }
  std::uint64_t total() const { return times.total() + left_out.value_or(0) + not_alive; }
};
// For the threads in `kept`. `intervals`: nullptr, or the intervals that filters keep of each thread, by ThreadNumber.
WallClockCheck check_wall_clock(const Scheduler& scheduler, const std::vector<bool>& kept,
                                const std::vector<IntervalSums>* intervals, std::uint64_t stacks);

}  // namespace perfsift::offcpu
