#include "base/distribution.h"

#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace perfsift {
namespace {

TEST(Distribution, SmallValuesAreExact) {
  Distribution distribution;
  for (std::uint64_t value = 1; value <= 100; ++value) distribution.add(value);
  EXPECT_EQ(distribution.percentile(50), 50u);
  EXPECT_EQ(distribution.percentile(99), 99u);
  EXPECT_EQ(distribution.percentile(99.9), 100u);
  EXPECT_EQ(distribution.max(), 100u);
  EXPECT_EQ(distribution.sum(), 5050u);
}

TEST(Distribution, CountsWhatIsNotLarger) {
  Distribution distribution;
  EXPECT_EQ(distribution.count_up_to(5), 0u);
  for (std::uint64_t value = 1; value <= 100; ++value) distribution.add(value);
  for (std::uint64_t i = 0; i < 1000; ++i) distribution.add(1'000'000);
  EXPECT_EQ(distribution.count_up_to(0), 0u);
  EXPECT_EQ(distribution.count_up_to(50), 50u);
  EXPECT_EQ(distribution.count_up_to(500'000), 100u);
  EXPECT_EQ(distribution.count_up_to(1'000'000), 1100u);
  EXPECT_EQ(distribution.count_up_to(~std::uint64_t{0}), 1100u);
}

TEST(Distribution, AddsUpAsIfAllValuesWereInOne) {
  Distribution all, sum;
  std::mt19937_64 random(1);
  for (const int values : {3, 5000, 0, 700, 20}) {
    Distribution part;
    for (int i = 0; i < values; ++i) {
      const std::uint64_t value = random() >> random() % 64;
      part.add(value);
      all.add(value);
    }
    sum.add(part);
  }
  EXPECT_EQ(sum.count(), all.count());
  EXPECT_EQ(sum.sum(), all.sum());
  EXPECT_EQ(sum.max(), all.max());
  EXPECT_EQ(sum.powers(), all.powers());
  for (const double percent : {1.0, 50.0, 90.0, 99.0, 99.9})
    EXPECT_EQ(sum.percentile(percent), all.percentile(percent));
}

TEST(Distribution, AValueThatIsAddedManyTimesCountsAsOften) {
  Distribution at_once, one_by_one;
  for (const std::uint64_t value : {3u, 700u, 123'456u}) {
    at_once.add(value, 1000);
    for (int i = 0; i < 1000; ++i) one_by_one.add(value);
  }
  at_once.add(5, 0);
  EXPECT_EQ(at_once.count(), 3000u);
  EXPECT_EQ(at_once.sum(), one_by_one.sum());
  EXPECT_EQ(at_once.max(), 123'456u);
  for (const double percent : {10.0, 50.0, 99.0})
    EXPECT_EQ(at_once.percentile(percent), one_by_one.percentile(percent));
  EXPECT_EQ(at_once.powers(), one_by_one.powers());
}

TEST(Distribution, NothingHasNoPercentile) { EXPECT_EQ(Distribution().percentile(99), 0u); }

// The percentiles are compared with sorted values.
TEST(Distribution, LargeValuesAreRoundedUpByLessThanAHundredthAndTwentyEighth) {
  std::mt19937_64 random(7);
  std::vector<std::uint64_t> values;
  Distribution distribution;
  for (int i = 0; i < 10'000; ++i) {
    values.push_back(random() >> random() % 64);
    distribution.add(values.back());
  }
  std::ranges::sort(values);
  for (const double percent : {1.0, 50.0, 90.0, 99.0, 99.9, 99.99, 100.0}) {
    const auto rank = static_cast<std::size_t>(percent / 100 * 10'000 + 0.999);
    const std::uint64_t exact = values[rank - 1];
    EXPECT_GE(distribution.percentile(percent), exact);
    EXPECT_LE(distribution.percentile(percent) - exact, exact / 128 + 1);
  }
  EXPECT_EQ(distribution.percentile(100), values.back());
}

TEST(Distribution, TheLargestNumberHasABucket) {
  Distribution distribution;
  distribution.add(~std::uint64_t{0});
  EXPECT_EQ(distribution.percentile(50), ~std::uint64_t{0});
  EXPECT_EQ(distribution.powers()[63], 1u);
}

TEST(Distribution, PowersCountFromEachPowerOfTwoToTheNext) {
  Distribution distribution;
  for (const std::uint64_t value : {0, 1, 2, 3, 4, 1023, 1024}) distribution.add(value);
  const auto powers = distribution.powers();
  EXPECT_EQ(powers[0], 2u);
  EXPECT_EQ(powers[1], 2u);
  EXPECT_EQ(powers[2], 1u);
  EXPECT_EQ(powers[9], 1u);
  EXPECT_EQ(powers[10], 1u);
}

// P99.9 leaves out one value in a thousand, so it needs at least a thousand values.
TEST(Distribution, APercentileIsKnownFromAsManyValuesAsItNeeds) {
  Distribution distribution;
  for (std::uint64_t value = 1; value <= 99; ++value) distribution.add(value);
  EXPECT_EQ(distribution.known_percentile(50), 50u);
  EXPECT_EQ(distribution.known_percentile(90), 90u);
  EXPECT_EQ(distribution.known_percentile(99), std::nullopt);
  distribution.add(100);
  EXPECT_EQ(distribution.known_percentile(99), 99u);
  for (std::uint64_t value = 101; value <= 999; ++value) distribution.add(value);
  EXPECT_EQ(distribution.known_percentile(99.9), std::nullopt);
  distribution.add(1000);
  EXPECT_TRUE(distribution.known_percentile(99.9));
  EXPECT_EQ(distribution.known_percentile(99.99), std::nullopt);
  EXPECT_EQ(Distribution().known_percentile(50), std::nullopt);
  EXPECT_EQ(needed_for(99.99), 10'000u);
}

}  // namespace
}  // namespace perfsift
