// Pairs of runs with a known true difference, for tests of a gate.
//
// A run is drawn from real runs. Each time block becomes the sum of blocks of any of these runs from about the same
// part of their times, so phases of the program keep their places. The number of blocks is large enough for the wanted
// number of samples, and a random part of these samples is kept. More work in a function means more samples of the
// function.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "analysis/gate/run.h"

namespace perfsift::test {

class DrawnRuns {
 public:
  // `samples`: the average number in a run. All models must have the same number of blocks. The stacks must live
  // longer.
  DrawnRuns(std::span<const analysis::Run> models, const analysis::GateStacks& stacks, double samples,
            std::uint64_t seed)
      : stacks_(stacks), random_(seed) {
    double all = 0;
    for (const analysis::Run& model : models) {
      auto& blocks = models_.emplace_back(model.blocks);
      for (const analysis::BlockCount& count : model.counts) blocks[count.block].push_back(count);
      all += static_cast<double>(model.samples());
    }
    const double times = samples * static_cast<double>(models.size()) / all;
    pieces_ = std::max(1, static_cast<int>(std::ceil(times)));
    scale_ = times / pieces_;
  }

  // Draws a run in which the function has `more` times its own work in addition.
  analysis::Run draw(analysis::FunctionId slower, double more) {
    const auto blocks = static_cast<std::uint32_t>(models_.front().size());
    analysis::Run run{.name = "drawn", .blocks = blocks};
    for (std::uint32_t block = 0; block < blocks; ++block) {
      std::map<std::uint32_t, std::uint64_t> sums;  // by stack
      for (int piece = 0; piece < pieces_; ++piece) {
        for (const analysis::BlockCount& count : block_close_to(block))
          sums[count.stack] += kept(count.samples) + added(count, slower, more);
      }
      for (const auto& [stack, samples] : sums) {
        if (samples != 0) run.counts.push_back({.stack = stack, .block = block, .samples = samples});
      }
    }
    std::ranges::sort(run.counts, {}, [](const auto& count) { return std::pair(count.stack, count.block); });
    return run;
  }
  analysis::Run draw() { return draw(~analysis::FunctionId{0}, 0); }

 private:
  using Blocks = std::vector<std::vector<analysis::BlockCount>>;

  std::uint64_t kept(std::uint64_t samples) {
    return scale_ < 1 ? std::binomial_distribution<std::uint64_t>(samples, scale_)(random_) : samples;
  }

  std::uint64_t added(const analysis::BlockCount& count, analysis::FunctionId slower, double more) {
    const auto functions = stacks_.functions_of(count.stack);
    if (more <= 0 || functions.empty() || functions.back() != slower) return 0;
    return std::poisson_distribution<std::uint64_t>(static_cast<double>(count.samples) * scale_ * more)(random_);
  }

  const std::vector<analysis::BlockCount>& block_close_to(std::uint32_t block) {
    constexpr int distance = 3;
    const Blocks& model = models_[std::uniform_int_distribution<std::size_t>(0, models_.size() - 1)(random_)];
    const int moved = static_cast<int>(block) + std::uniform_int_distribution<int>(-distance, distance)(random_);
    return model[static_cast<std::size_t>(std::clamp(moved, 0, static_cast<int>(model.size()) - 1))];
  }

  const analysis::GateStacks& stacks_;
  std::vector<Blocks> models_;
  int pieces_ = 1;    // number of real blocks in a drawn block
  double scale_ = 1;  // share of samples that are kept
  std::mt19937_64 random_;
};

}  // namespace perfsift::test
