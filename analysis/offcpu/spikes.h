// Intervals that were too long, each with the known facts about the cause.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/offcpu/recent_history.h"
#include "analysis/offcpu/scheduler.h"

namespace perfsift::offcpu {

// Samples of one event on one stack.
struct StackSamples {
  const reader::Event* event = nullptr;
  StackId stack = no_stack;
  std::size_t count = 0;
};

struct Spike {
  Interval interval;
  std::vector<RecentHistory::Ran> meanwhile;  // on the CPU that the thread left, longest first
  std::vector<StackSamples> samples;          // of that CPU or the thread, most first
  std::string recording;                      // path of the recording cut out around it; empty: none
};

class SpikeFinder : public SchedulerListener {
 public:
  using Take = std::function<void(Spike)>;
  static constexpr std::uint64_t all = ~std::uint64_t{0};

  // `take` gets the intervals of at least `threshold` nanoseconds, in the order of their ends, and at most `most` per
  // second: see begin_second(). `history` and `scheduler` must live longer.
  SpikeFinder(std::uint64_t threshold, std::uint64_t most, const RecentHistory& history, const Scheduler& scheduler,
              Take take)
      : threshold_(threshold), most_(most), history_(history), scheduler_(scheduler), take_(std::move(take)) {}

  void interval(const Interval& interval) override;

  std::uint64_t count() const { return count_; }
  // Starts a new second. Returns how many spikes of the last second were not passed to `take`.
  std::uint64_t begin_second();

 private:
  std::vector<StackSamples> samples_in(const Interval& interval) const;

  const std::uint64_t threshold_;
  const std::uint64_t most_;
  const RecentHistory& history_;
  const Scheduler& scheduler_;
  const Take take_;
  std::uint64_t count_ = 0;
  std::uint64_t in_second_ = 0;
};

}  // namespace perfsift::offcpu
