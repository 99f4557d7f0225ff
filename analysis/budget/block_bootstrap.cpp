#include "analysis/budget/block_bootstrap.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace perfsift::analysis {

std::optional<Bounds> bounds_of_ratio(std::span<const BlockRatio> blocks) {
  constexpr std::size_t fewest_blocks = 8, draws = 2000;
  std::vector<BlockRatio> used;
  for (const BlockRatio& block : blocks) {
    if (block.all > 0) used.push_back(block);
  }
  if (used.size() < fewest_blocks) return std::nullopt;
  std::mt19937_64 random(1);
  std::vector<double> ratios;
  for (std::size_t draw = 0; draw < draws; ++draw) {
    BlockRatio sum;
    for (std::size_t i = 0; i < used.size(); ++i) {
      const BlockRatio& block = used[random() % used.size()];
      sum.part += block.part;
      sum.all += block.all;
    }
    ratios.push_back(sum.part / sum.all);
  }
  std::ranges::sort(ratios);
  return Bounds{.low = ratios[draws * 25 / 1000], .high = ratios[draws * 975 / 1000]};
}

}  // namespace perfsift::analysis
