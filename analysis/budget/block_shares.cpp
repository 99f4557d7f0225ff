#include "analysis/budget/block_shares.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "analysis/comparison/change.h"

namespace perfsift::analysis {
namespace {

// With fewer, the variance between blocks says little about the variance of the share.
constexpr std::size_t fewest_blocks = 8;
constexpr std::size_t fewest_runs = 4;

BlockShare sum_of(const std::vector<BlockShare>& blocks) {
  BlockShare sum;
  for (const BlockShare& block : blocks) sum.some += block.some, sum.all += block.all;
  return sum;
}

// The variance between blocks of the ratio of sums, divided by that of independent draws; at least 1.
double dispersion(const std::vector<BlockShare>& blocks, std::size_t fewest) {
  const BlockShare sum = sum_of(blocks);
  const auto count =
      static_cast<std::size_t>(std::ranges::count_if(blocks, [](auto& block) { return block.all != 0; }));
  if (count < fewest || sum.some == 0 || sum.some == sum.all) return 1;
  const double all = static_cast<double>(sum.all), share = static_cast<double>(sum.some) / all;
  double squares = 0;
  for (const BlockShare& block : blocks) {
    const double residual = static_cast<double>(block.some) - share * static_cast<double>(block.all);
    squares += residual * residual;
  }
  const double blocks_in_all = static_cast<double>(count);
  return std::max(1.0, squares * blocks_in_all / (blocks_in_all - 1) / (share * (1 - share) * all));
}

std::vector<BlockShare> by_run(const std::vector<BlockShare>& blocks) {
  std::map<std::uint32_t, BlockShare> runs;
  for (const BlockShare& block : blocks) {
    runs[block.run].some += block.some;
    runs[block.run].all += block.all;
  }
  std::vector<BlockShare> result;
  for (const auto& [run, sum] : runs) result.push_back(sum);
  return result;
}

}  // namespace

MeasuredValue share_of_samples(const std::vector<BlockShare>& blocks) {
  const BlockShare sum = sum_of(blocks);
  if (sum.all == 0) return MeasuredValue::not_known("there is no sample");
  const double wider = std::max(dispersion(blocks, fewest_blocks), dispersion(by_run(blocks), fewest_runs));
  const ShareInterval share =
      interval_of_share(static_cast<double>(sum.some) / wider, static_cast<double>(sum.all) / wider);
  MeasuredValue result{.value = Estimate{.value = share.share, .low = share.low, .high = share.high},
                       .missing = {},
                       .of = sum.all,
                       .of_what = "samples",
                       .note = {}};
  return result;
}

}  // namespace perfsift::analysis
