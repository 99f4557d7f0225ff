#include "record/keep/value_set.h"

#include <gtest/gtest.h>

namespace perfsift::record {
namespace {

using filter::Interval;
using filter::Number;

TEST(ValueSet, HasTheNumbersOfItsIntervals) {
  const Interval intervals[] = {{.from = Number::of_signed(-2), .until = Number::of(1)},
                                {.from = Number::of(5), .until = Number::of(5)}};
  const ValueSet set = ValueSet::of(intervals);
  EXPECT_TRUE(set.has(-2));
  EXPECT_TRUE(set.has(1));
  EXPECT_FALSE(set.has(2));
  EXPECT_TRUE(set.has(5));
  EXPECT_EQ(set.numbers(5), (std::vector<std::int64_t>{-2, -1, 0, 1, 5}));
  EXPECT_EQ(set.numbers(4), std::nullopt);
  EXPECT_FALSE(set.others().has(0));
  EXPECT_TRUE(set.others().has(-3));
}

TEST(ValueSet, ANumberAboveTheHighestSignedNumberIsTheHighest) {
  const Interval intervals[] = {{.from = Number::of(~std::uint64_t{0}), .until = Number::of(~std::uint64_t{0})}};
  EXPECT_EQ(ValueSet::of(intervals).numbers(1), (std::vector<std::int64_t>{INT64_MAX}));
}

TEST(ValueSet, AllNumbersAreMoreThanCanBeListed) {
  EXPECT_EQ(ValueSet::all().numbers(1000), std::nullopt);
  EXPECT_TRUE(ValueSet::all().others().empty());
  EXPECT_EQ(ValueSet::none().numbers(0), std::vector<std::int64_t>{});
}

TEST(ValueSet, FindsItsNumbersAmongOthers) {
  const unsigned cpus[] = {0, 1, 2, 3};
  EXPECT_EQ(ValueSet::of_bits(0b1010).among(cpus), (std::vector<unsigned>{1, 3}));
}

}  // namespace
}  // namespace perfsift::record
