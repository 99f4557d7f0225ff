#include "base/median.h"

#include <gtest/gtest.h>

namespace perfsift {
namespace {

TEST(Median, IsTheValueInTheMiddle) {
  EXPECT_EQ(median({7}), 7);
  EXPECT_EQ(median({9, 1, 5}), 5);
  EXPECT_EQ(median({1e300, -4, 2, 3, 2}), 2);
}

TEST(Median, OfAnEvenNumberIsTheMeanOfTwo) {
  EXPECT_EQ(median({8, 2}), 5);
  EXPECT_EQ(median({1, 100, 4, 3}), 3.5);
  EXPECT_EQ(median({3, 3, 3, 1000}), 3);
}

TEST(Median, WithoutValuesIsZero) { EXPECT_EQ(median({}), 0); }

}  // namespace
}  // namespace perfsift
