// Waits by blocks of time, and intervals from these blocks.

#include "analysis/budget/wait_blocks.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "analysis/budget/block_bootstrap.h"

namespace perfsift::analysis::wait_block_tests {  // a unity build compiles other tests in the same file
namespace {

TEST(WaitBlocks, GrowWithTheTimeThatWasSeen) {
  WaitBlocks blocks;
  blocks.begin_recording();
  for (std::uint64_t i = 0; i < 1000; ++i) blocks.add(5'000'000'000 + i * 1'000'000, i);
  EXPECT_GT(blocks.blocks().size(), 31u);
  EXPECT_LE(blocks.blocks().size(), 64u);
  std::uint64_t count = 0;
  for (const Distribution& block : blocks.blocks()) count += block.count();
  EXPECT_EQ(count, 1000u);
  EXPECT_EQ(blocks.blocks()[0].max() + 1, blocks.blocks()[0].count());
}

TEST(WaitBlocks, RecordingsHaveTheirOwn) {
  WaitBlocks blocks;
  for (int recording = 0; recording < 3; ++recording) {
    blocks.begin_recording();
    blocks.add(1'000'000, 7);
    blocks.add(1'000'000 + 63 * 65'536, 7);
  }
  EXPECT_EQ(blocks.blocks().size(), 3 * 64u);
  blocks.add(1'000'000 + 64 * 65'536, 7);
  EXPECT_EQ(blocks.blocks().size(), 2 * 64u + 33);
  EXPECT_EQ(blocks.blocks()[2 * 64 + 32].count(), 1u);
}

TEST(WaitBlocks, AHugeSpanOfTimeHasBlocksToo) {
  WaitBlocks blocks;
  blocks.begin_recording();
  blocks.add(0, 1);
  blocks.add(~std::uint64_t{0}, 1);
  EXPECT_LE(blocks.blocks().size(), 64u);
}

// A ratio of 64 blocks, each 0.5 +- 0.1: the mean of the draws has a deviation of 0.1 / 8.
TEST(BlockBootstrap, HasTheWidthOfTheMeanOfBlocks) {
  std::vector<BlockRatio> blocks;
  for (int i = 0; i < 64; ++i) blocks.push_back({.part = i % 2 == 0 ? 40.0 : 60.0, .all = 100});
  const auto bounds = bounds_of_ratio(blocks);
  ASSERT_TRUE(bounds);
  EXPECT_NEAR(bounds->low, 0.5 - 1.96 * 0.1 / 8, 0.003);
  EXPECT_NEAR(bounds->high, 0.5 + 1.96 * 0.1 / 8, 0.003);
  const auto again = bounds_of_ratio(blocks);
  EXPECT_EQ(again->low, bounds->low);
  EXPECT_EQ(again->high, bounds->high);
}

TEST(BlockBootstrap, FewBlocksTellNothing) {
  const std::vector<BlockRatio> few(7, {.part = 1, .all = 2});
  EXPECT_FALSE(bounds_of_ratio(few));
  std::vector<BlockRatio> empty(20);
  EXPECT_FALSE(bounds_of_ratio(empty));
}

}  // namespace
}  // namespace perfsift::analysis::wait_block_tests
