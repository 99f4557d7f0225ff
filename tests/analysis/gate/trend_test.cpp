// Values over runs in the order of time.

#include "analysis/gate/trend.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace perfsift::analysis::gate_trends {  // a unity build compiles other tests in the same file
namespace {

// Among the 24 orders of four values, 1, 3, 5, 6, 5, 3 and 1 orders have 0 to 6 falling pairs.
TEST(TrendTest, CountsOrders) {
  const TrendTest test(4);
  EXPECT_NEAR(test.tails(std::vector{1.0, 2.0, 3.0, 4.0}), 2 / 24.0, 1e-12);
  EXPECT_NEAR(test.tails(std::vector{4.0, 3.0, 2.0, 1.0}), 2 / 24.0, 1e-12);
  EXPECT_NEAR(test.tails(std::vector{1.0, 2.0, 4.0, 3.0}), 8 / 24.0, 1e-12);
  EXPECT_NEAR(test.tails(std::vector{2.0, 1.0, 4.0, 3.0}), 18 / 24.0, 1e-12);
  EXPECT_EQ(test.tails(std::vector{2.0, 4.0, 1.0, 3.0}), 1);
}

// Kendall, Rank Correlation Methods, appendix table 1: among 10 values, the rising pairs exceed the falling pairs by at
// least 27 with a probability of 0.0083, and by at least 19 with a probability of 0.054.
TEST(TrendTest, HasTheProbabilitiesOfTables) {
  EXPECT_NEAR(TrendTest(10).tails(std::vector{3.0, 1.0, 2.0, 5.0, 4.0, 9.0, 6.0, 10.0, 8.0, 7.0}), 2 * 0.0083, 2e-4);
  EXPECT_NEAR(TrendTest(10).tails(std::vector{3.0, 1.0, 2.0, 5.0, 4.0, 10.0, 9.0, 8.0, 7.0, 6.0}), 2 * 0.054, 1e-3);
}

TEST(TrendTest, EqualValuesShowNothing) {
  EXPECT_EQ(TrendTest(8).tails(std::vector<double>(8, 0.25)), 1);
  EXPECT_GT(TrendTest(8).tails(std::vector{1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0}), 0.05);
}

TEST(TrendTest, ManyRunsHaveProbabilitiesToo) {
  std::vector<double> rising;
  for (int i = 0; i < 200; ++i) rising.push_back(std::sqrt(i));
  EXPECT_LT(TrendTest(200).tails(rising), 1e-12);
}

// The slopes are 1, 1, 1, 7/3, 3 and 5.
TEST(GrowthPerRun, IsTheMedianOfAllPairs) {
  const Estimate growth = growth_per_run(std::vector{0.0, 1.0, 2.0, 7.0}, 0.05);
  EXPECT_DOUBLE_EQ(growth.value, 1 + (7.0 / 3 - 1) / 2);
  EXPECT_DOUBLE_EQ(growth.low, 1);
  EXPECT_DOUBLE_EQ(growth.high, 5);
}

TEST(GrowthPerRun, OneExtraordinaryRunDoesNotMatter) {
  EXPECT_DOUBLE_EQ(growth_per_run(std::vector{1.0, 2.0, 3.0, 400.0, 5.0, 6.0, 7.0}, 0.05).value, 1);
}

TEST(TrendOf, AFlatHistoryIsFlat) {
  const Trend trend = trend_of(std::vector{1.0, 3.0, 1.0, 3.0, 1.0, 3.0, 1.0, 3.0}, false, 0.05);
  EXPECT_EQ(trend.shape, TrendShape::flat);
  EXPECT_DOUBLE_EQ(trend.expected, 2);
  EXPECT_DOUBLE_EQ(trend.freedom, 7);
  EXPECT_DOUBLE_EQ(trend.deviation, std::sqrt(8.0 / 7 * 9 / 8));
}

TEST(TrendOf, AStepIsALevelAndNoDrift) {
  for (const bool drifts : {false, true}) {
    const Trend trend = trend_of(std::vector{1.0, 1.1, 1.0, 1.1, 2.0, 2.1, 2.0, 2.1, 2.05}, drifts, 0.05);
    EXPECT_EQ(trend.shape, TrendShape::level);
    EXPECT_EQ(trend.runs, 5u);
    EXPECT_NEAR(trend.expected, 2.05, 1e-12);
  }
  EXPECT_EQ(trend_of(std::vector{1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 2.0}, false, 0.05).runs, 1u);
}

TEST(TrendOf, AlmostEqualGrowthIsALine) {
  const Trend trend = trend_of(std::vector{1.0, 1.11, 1.19, 1.3, 1.41, 1.5, 1.59, 1.7}, true, 0.05);
  EXPECT_EQ(trend.shape, TrendShape::line);
  EXPECT_NEAR(trend.expected, 1.8, 0.01);
}

}  // namespace
}  // namespace perfsift::analysis::gate_trends
