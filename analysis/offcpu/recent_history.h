// The recent past in bounded memory: which threads ran on each CPU, and the samples taken.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "analysis/offcpu/consumer.h"

namespace perfsift::offcpu {

class RecentHistory : public Consumer {
 public:
  void slice(const Slice& slice) override;
  void sample(const OtherSample& sample) override;
  void forget_stacks() { samples_.clear(); }

  struct Ran {
    ThreadNumber thread = no_thread;
    std::uint64_t time = 0;
  };
  // The threads that ran on a CPU between two times, longest time first; only slices that have ended.
  std::vector<Ran> ran(std::int32_t cpu, std::uint64_t start, std::uint64_t end) const;
  // The samples of a thread, and all samples taken on a CPU, between two times.
  std::vector<OtherSample> samples(std::int32_t cpu, std::int32_t tid, std::uint64_t start, std::uint64_t end) const;

 private:
  static constexpr std::size_t most_slices = 8192;  // per CPU
  static constexpr std::size_t most_samples = std::size_t{1} << 16;

  std::vector<std::deque<Slice>> slices_;  // by CPU
  std::deque<OtherSample> samples_;
};

}  // namespace perfsift::offcpu
