// All the time of all threads as one set of stacks: on a CPU by samples, off it by intervals.
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

// Frames of time on a CPU.
inline constexpr const char* on_cpu_frame = "[on CPU]";
inline constexpr const char* not_sampled_frame = "[on CPU: not sampled]";

// Shares the time that threads ran among their samples: each stands for the time its thread has run since the sample
// before. So the sum is exactly the time that they ran, however often they were sampled.
class RunningStacks : public Consumer {
 public:
  explicit RunningStacks(const Scheduler& scheduler) : scheduler_(scheduler) {}

  void slice(const Slice& slice) override;
  void sample(const OtherSample& sample) override;

  // Of the threads that are kept, by ThreadNumber: nanoseconds that have a stack, and those of threads that were never
  // sampled after it; and both as stacks.
  std::uint64_t sampled(const std::vector<bool>& kept) const;
  std::uint64_t not_sampled(const std::vector<bool>& kept) const;
  void fill(analysis::Profile& profile, Names& names, std::uint64_t unit, const std::vector<bool>& kept) const;

 private:
  struct Piece {
    StackId stack = no_stack;
    std::uint64_t time = 0;
  };
  // What a thread ran, of which the share of the next sample is not known yet.
  struct Account {
    std::uint64_t not_shared = 0;  // in earlier slices
    std::uint64_t slice_start = 0;
    std::uint64_t shared_until = 0;
    std::vector<Piece> pieces;  // of this slice: they count when it turns out to be one
  };

  Account& account(ThreadNumber thread);

  const Scheduler& scheduler_;
  std::vector<Account> accounts_;                              // by ThreadNumber
  std::unordered_map<std::uint64_t, std::uint64_t> by_stack_;  // by ThreadNumber and StackId
};

// The sum that must come out; `stacks`: what the stacks add up to. Nothing is rounded.
struct WallClockCheck {
  ThreadTimes times;
  std::uint64_t threads = 0;
  std::uint64_t wall = 0;
  std::uint64_t not_alive = 0;  // before threads were made and after they ended
  std::uint64_t stacks = 0;
  std::optional<std::uint64_t> left_out;  // off the CPU in intervals that filters leave out; not in `times`

  bool holds() const { return times.total() == stacks && total() == wall * threads; }
  std::uint64_t total() const { return times.total() + left_out.value_or(0) + not_alive; }
};
// Of the threads that are kept. `intervals`: nullptr, or what filters keep of each thread, by ThreadNumber.
WallClockCheck check_wall_clock(const Scheduler& scheduler, const std::vector<bool>& kept,
                                const std::vector<IntervalSums>* intervals, std::uint64_t stacks);

}  // namespace perfsift::offcpu
