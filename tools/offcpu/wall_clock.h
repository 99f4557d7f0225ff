// All the time of all threads as one set of stacks: on a CPU by samples, off it by intervals.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "tools/offcpu/consumer.h"
#include "tools/offcpu/names.h"
#include "tools/profile/profile.h"

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

  // Nanoseconds that have a stack, and those of threads that were never sampled after it.
  std::uint64_t sampled() const { return sampled_; }
  std::uint64_t not_sampled() const;
  void fill(tools::Profile& profile, Names& names, std::uint64_t unit) const;

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
  std::vector<Account> accounts_;  // by ThreadNumber
  std::unordered_map<StackId, std::uint64_t> by_stack_;
  std::uint64_t sampled_ = 0;
};

// The sum that must come out, in words; `stacks`: what the stacks add up to. Nothing is rounded.
struct WallClockCheck {
  ThreadTimes times;
  std::uint64_t threads = 0;
  std::uint64_t wall = 0;
  std::uint64_t not_alive = 0;  // before threads were made and after they ended
  std::uint64_t stacks = 0;

  bool holds() const { return times.total() == stacks && times.total() + not_alive == wall * threads; }
  std::string text() const;
};
WallClockCheck check_wall_clock(const Scheduler& scheduler, std::uint64_t stacks);

}  // namespace perfsift::offcpu
