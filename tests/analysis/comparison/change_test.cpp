// Intervals of changes. The expected intervals are from the paper that describes the method, and from closed forms.

#include "analysis/comparison/change.h"

#include <cmath>

#include <gtest/gtest.h>

namespace perfsift::analysis {
namespace {

Amount counted(std::uint64_t samples) { return {.samples = samples, .value = samples}; }

// R. G. Newcombe, Interval estimation for the difference between independent proportions, Statistics in Medicine 17
// (1998), table II, method 10: p1 - p2 for a/m and b/n. Here a change is after - before, so p1 is after.
TEST(ChangeOfShares, IsNewcombesInterval) {
  struct {
    std::uint64_t a, m, b, n;
    double low, high;
  } constexpr published[] = {{56, 70, 48, 80, 0.0524, 0.3339}, {9, 10, 3, 10, 0.1705, 0.8090},
                             {6, 7, 2, 7, 0.0582, 0.8062},     {5, 56, 0, 29, -0.0381, 0.1926},
                             {0, 10, 0, 20, -0.1611, 0.2775},  {0, 10, 0, 10, -0.2775, 0.2775},
                             {10, 10, 0, 20, 0.6791, 1.0000},  {10, 10, 0, 10, 0.6075, 1.0000}};
  for (const auto& [a, m, b, n, low, high] : published) {
    const Change change = change_of_shares(counted(b), counted(n), counted(a), counted(m));
    EXPECT_NEAR(change.low, 100 * low, 0.0051) << a << '/' << m << " - " << b << '/' << n;
    EXPECT_NEAR(change.high, 100 * high, 0.0051) << a << '/' << m << " - " << b << '/' << n;
  }
}

TEST(ChangeOfShares, FewSamplesAreNeverAChange) {
  for (const std::uint64_t all : {2u, 10u, 100u, 100'000u}) {
    EXPECT_FALSE(change_of_shares({}, counted(all), counted(1), counted(all)).significant);
    EXPECT_FALSE(change_of_shares(counted(1), counted(all), {}, counted(all)).significant);
  }
  // This also holds where chance is practically excluded, and where the single sample has nearly all the weight.
  EXPECT_FALSE(change_of_shares({}, counted(1'000'000'000), counted(1), counted(10)).significant);
  EXPECT_FALSE(
      change_of_shares({}, counted(100), {.samples = 1, .value = 900}, {.samples = 100, .value = 999}).significant);
}

TEST(ChangeOfShares, ManySamplesAre) {
  const Change change = change_of_shares(counted(100), counted(1000), counted(200), counted(1000));
  EXPECT_NEAR(change.delta, 10, 1e-9);
  EXPECT_GT(change.low, 6);
  EXPECT_LT(change.high, 14);
  EXPECT_TRUE(change.significant);
  EXPECT_FALSE(change_of_shares(counted(100), counted(1000), counted(110), counted(1000)).significant);
}

// Equal weights of all samples change neither shares nor intervals.
TEST(ChangeOfShares, WeightsScaleTheInterval) {
  const Change plain = change_of_shares(counted(30), counted(400), counted(60), counted(500));
  const Change weighed = change_of_shares({.samples = 30, .value = 30'000}, {.samples = 400, .value = 400'000},
                                          {.samples = 60, .value = 420}, {.samples = 500, .value = 3'500});
  EXPECT_NEAR(weighed.delta, plain.delta, 1e-9);
  EXPECT_NEAR(weighed.low, plain.low, 1e-9);
  EXPECT_NEAR(weighed.high, plain.high, 1e-9);
  // Samples of twice the mean weight have twice the share, and twice the interval.
  const Change heavy =
      change_of_shares({.samples = 30, .value = 60}, counted(400), {.samples = 60, .value = 120}, counted(500));
  EXPECT_NEAR(heavy.delta, 2 * plain.delta, 1e-9);
  EXPECT_NEAR(heavy.low, 2 * plain.low, 1e-9);
}

TEST(ChangeOfShares, NothingOnASideIsNoDivisionByZero) {
  const Change change = change_of_shares({}, {}, counted(10), counted(10));
  EXPECT_EQ(change.delta, 100);
  EXPECT_TRUE(std::isfinite(change.low) && std::isfinite(change.high));
  EXPECT_FALSE(change_of_shares({}, {}, {}, {}).significant);
}

// The score interval of a Poisson count k is k + z²/2 -+ z sqrt(k + z²/4).
TEST(ChangeOfValues, CombinesIntervalsOfCounts) {
  constexpr double z = 1.959963984540054;
  const Change change = change_of_values({.samples = 100, .value = 1000}, {.samples = 400, .value = 4000});
  EXPECT_EQ(change.delta, 3000);
  const double below = 400 - (400 + z * z / 2 - z * std::sqrt(400 + z * z / 4));
  const double above = 100 + z * z / 2 + z * std::sqrt(100 + z * z / 4) - 100;
  EXPECT_NEAR(change.low, 3000 - 10 * std::hypot(below, above), 1e-6);
  EXPECT_TRUE(change.significant);
  EXPECT_FALSE(change_of_values({}, {.samples = 1, .value = 1'000'000}).significant);
}

}  // namespace
}  // namespace perfsift::analysis
