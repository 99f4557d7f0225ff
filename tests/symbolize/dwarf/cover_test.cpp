#include "symbolize/dwarf/cover.h"

#include <gtest/gtest.h>

namespace perfsift::symbolize::dwarf {
namespace {

TEST(Cover, OfRangesInEachOtherTheInnermostAnswers) {
  const Cover cover({{10, 50, 0}, {20, 30, 1}, {25, 28, 2}, {60, 70, 3}});
  EXPECT_EQ(cover.find(9), Cover::nothing);
  EXPECT_EQ(cover.find(10), 0U);
  EXPECT_EQ(cover.find(20), 1U);
  EXPECT_EQ(cover.find(25), 2U);
  EXPECT_EQ(cover.find(28), 1U);
  EXPECT_EQ(cover.find(30), 0U);
  EXPECT_EQ(cover.find(50), Cover::nothing);
  EXPECT_EQ(cover.find(69), 3U);
  EXPECT_EQ(cover.find(70), Cover::nothing);
}

TEST(Cover, OfRangesThatOverlapTheLargerNumberAnswersInBothParts) {
  const Cover cover({{10, 30, 5}, {20, 40, 2}});
  EXPECT_EQ(cover.find(25), 5U);
  EXPECT_EQ(cover.find(30), 2U);
  EXPECT_EQ(cover.find(40), Cover::nothing);
}

TEST(Cover, AnInnerRangeMayBeginWhereTheOuterOneDoes) {
  const Cover cover({{10, 20, 1}, {10, 40, 0}});
  EXPECT_EQ(cover.find(10), 1U);
  EXPECT_EQ(cover.find(20), 0U);
}

TEST(Cover, EmptyAndInvertedRangesCoverNothing) {
  const Cover cover({{10, 10, 0}, {30, 20, 1}, {~std::uint64_t{0}, ~std::uint64_t{0}, 2}});
  for (const std::uint64_t address : {std::uint64_t{0}, std::uint64_t{10}, std::uint64_t{25}, ~std::uint64_t{0}})
    EXPECT_EQ(cover.find(address), Cover::nothing);
}

TEST(Cover, ReachesToTheLargestAddress) {
  const Cover cover({{0, ~std::uint64_t{0}, 7}});
  EXPECT_EQ(cover.find(0), 7U);
  EXPECT_EQ(cover.find(~std::uint64_t{0} - 1), 7U);
  EXPECT_EQ(cover.find(~std::uint64_t{0}), Cover::nothing);
}

TEST(Cover, GivesBackWhatItCovers) {
  std::vector<OwnedRange> ranges;
  Cover({{10, 30, 0}, {40, 50, 1}}).append_to(ranges, 9);
  ASSERT_EQ(ranges.size(), 2U);
  EXPECT_EQ(ranges[0].start, 10U);
  EXPECT_EQ(ranges[0].end, 30U);
  EXPECT_EQ(ranges[1].end, 50U);
  EXPECT_EQ(ranges[1].owner, 9U);
}

}  // namespace
}  // namespace perfsift::symbolize::dwarf
