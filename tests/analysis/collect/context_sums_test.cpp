// Sums of random samples, compared with those of a map.

#include "analysis/collect/context_sums.h"

#include <map>
#include <random>
#include <tuple>

#include <gtest/gtest.h>

namespace perfsift::analysis {
namespace {

using SumKey = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::int32_t, std::uint32_t, std::uint32_t>;

SumKey key_of_sum(const ContextSum& sum) {
  return {sum.callchain, sum.leaf, sum.context, sum.cpu, sum.event, sum.mode};
}

// Each property has `values` different values, starting at 0.
std::map<SumKey, Amount> check_random_samples(std::uint32_t values, int count) {
  std::mt19937 random(values);
  const auto any = [&] { return static_cast<std::uint32_t>(random() % values); };
  ContextSums sums;
  std::map<SumKey, Amount> expected;
  for (int i = 0; i < count; ++i) {
    if (sums.is_full()) sums.add_up();
    const Amount amount{.samples = 1, .value = random() % 1000};
    ContextSum& sample = sums.add({.leaf = any(),
                                   .context = any(),
                                   .cpu = static_cast<std::int32_t>(any()) - 1,
                                   .event = any(),
                                   .mode = any() % 6,
                                   .amount = amount});
    sample.callchain = any();
    expected[key_of_sum(sample)] += amount;
  }
  sums.add_up();
  std::map<SumKey, Amount> found;
  for (const ContextSum& sum : sums.all()) {
    EXPECT_TRUE(found.emplace(key_of_sum(sum), sum.amount).second) << "a sum is there twice";
  }
  EXPECT_EQ(found.size(), expected.size());
  EXPECT_TRUE(found == expected);
  return found;
}

TEST(ContextSums, SamplesThatAgreeAreOneSum) { EXPECT_EQ(check_random_samples(2, 10'000).size(), 64u); }

TEST(ContextSums, SamplesThatDifferAreKeptApart) { EXPECT_GT(check_random_samples(5, 50'000).size(), 10'000u); }

TEST(ContextSums, NothingIsNothing) {
  ContextSums sums;
  sums.add_up();
  EXPECT_TRUE(sums.all().empty());
}

}  // namespace
}  // namespace perfsift::analysis
