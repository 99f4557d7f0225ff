#include "analysis/gate/replicates.h"

#include <algorithm>
#include <numeric>

namespace perfsift::analysis {
namespace {

// The variance between fewer blocks is not known well enough.
constexpr std::size_t fewest_blocks = 8;

std::size_t blocks_of(const GateSide& side) {
  return std::accumulate(side.runs.begin(), side.runs.end(), std::size_t{0},
                         [](std::size_t sum, const Run& run) { return sum + (run.blocks > 1 ? run.blocks : 0); });
}

// Calls use(stack, samples) for each stack of a run.
template <typename Use>
void for_each_stack(const Run& run, Use&& use) {
  for (auto count = run.counts.begin(); count != run.counts.end();) {
    const std::uint32_t stack = count->stack;
    std::uint64_t samples = 0;
    for (; count != run.counts.end() && count->stack == stack; ++count) samples += count->samples;
    use(stack, samples);
  }
}

// Calls use(stack, replicate, samples) for the counts of a side. Where runs are repeats, the blocks of a run are one
// replicate.
template <typename Use>
void for_each_count(const GateSide& side, Spread spread, std::size_t first_replicate, Use&& use) {
  std::size_t first_block = first_replicate;
  for (std::size_t number = 0; number < side.runs.size(); ++number) {
    const Run& run = side.runs[number];
    if (spread == Spread::repeats) {
      const std::size_t replicate = first_replicate + side.repeat_of(number);
      for_each_stack(run, [&](std::uint32_t stack, std::uint64_t samples) { use(stack, replicate, samples); });
      continue;
    }
    for (const BlockCount& count : run.counts) use(count.stack, first_block + count.block, count.samples);
    first_block += run.blocks;
  }
}

std::size_t replicates_of(const GateSide& side, Spread spread) {
  if (spread == Spread::repeats) return side.repeats();
  return std::accumulate(side.runs.begin(), side.runs.end(), std::size_t{0},
                         [](std::size_t sum, const Run& run) { return sum + run.blocks; });
}

}  // namespace

Spread spread_of(const GateSide& before, const GateSide& after) {
  // Two degrees of freedom are the least: two repeats on both sides, or three on one.
  if (before.repeats() + after.repeats() >= 4 && !before.runs.empty() && !after.runs.empty()) return Spread::repeats;
  const bool blocks = blocks_of(before) >= fewest_blocks && blocks_of(after) >= fewest_blocks;
  return blocks ? Spread::time_blocks : Spread::draw;
}

Replicates::Replicates(const GateStacks& stacks, const GateSide& before, const GateSide& after, Spread spread)
    : stacks_(stacks),
      spread_(spread),
      count_{replicates_of(before, spread), replicates_of(after, spread)},
      runs_{before.repeats(), after.repeats()},
      starts_(stacks.size() + 1),
      by_stack_(stacks.size()) {
  paired_ = spread == Spread::time_blocks && runs_.before == 1 && runs_.after == 1 && count_.before == count_.after;
  const auto for_each = [&](auto&& use) {
    for_each_count(before, spread, 0, [&](auto... count) { use(count..., true); });
    for_each_count(after, spread, count_.before, [&](auto... count) { use(count..., false); });
  };
  for_each([&](std::uint32_t stack, std::size_t, std::uint64_t samples, bool is_before) {
    ++starts_[stack + 1];
    (is_before ? by_stack_[stack].before : by_stack_[stack].after) += samples;
    (is_before ? all_.before : all_.after) += samples;
  });
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  cells_.resize(starts_.back());
  std::vector<std::size_t> next(starts_.begin(), starts_.end() - 1);
  for_each([&](std::uint32_t stack, std::size_t replicate, std::uint64_t samples, bool) {
    cells_[next[stack]++] = {.replicate = static_cast<std::uint32_t>(replicate),
                             .samples = static_cast<double>(samples)};
  });
}

Series Replicates::series(const std::function<bool(std::uint32_t stack)>& wanted) const {
  Series series(size());
  for (std::uint32_t stack = 0; stack < stacks_.size(); ++stack) {
    if (wanted(stack)) add(stack, series);
  }
  return series;
}

Both<double> Replicates::sums(const Series& series) const {
  const auto middle = series.begin() + static_cast<std::ptrdiff_t>(count_.before);
  return {std::accumulate(series.begin(), middle, 0.0), std::accumulate(middle, series.end(), 0.0)};
}

}  // namespace perfsift::analysis
