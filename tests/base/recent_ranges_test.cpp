#include "base/recent_ranges.h"

#include <gtest/gtest.h>

namespace perfsift {
namespace {

struct Space {
  std::uint64_t number = 0;
  bool operator==(const Space&) const = default;
  std::uint64_t hash() const { return number; }
};

constexpr std::uint64_t gigabyte = std::uint64_t{1} << 30;

TEST(RecentRanges, KnowAddressesOfTheRangeAndNoOthers) {
  RecentRanges<Space, const int> ranges;
  const int value = 1;
  ranges.add({1}, 0x1004, 0x1001, 0x1007, value);
  EXPECT_EQ(ranges.find({1}, 0x1004), &value);
  EXPECT_EQ(ranges.find({1}, 0x1001), &value) << "the same 8 bytes";
  EXPECT_EQ(ranges.find({1}, 0x1000), nullptr);
  EXPECT_EQ(ranges.find({1}, 0x1007), nullptr);
  EXPECT_EQ(ranges.find({2}, 0x1004), nullptr);
}

TEST(RecentRanges, OneAddressMakesThePartsOfALargeRangeKnown) {
  RecentRanges<Space, const int> ranges;
  const int value = 1;
  ranges.add({1}, 5 * gigabyte, 4 * gigabyte, 7 * gigabyte, value);
  EXPECT_EQ(ranges.find({1}, 6 * gigabyte - 1), &value);
  EXPECT_EQ(ranges.find({1}, 4 * gigabyte), nullptr) << "another gigabyte has a slot of its own";
}

TEST(RecentRanges, SmallRangesInALargeOneKeepTheirValues) {
  RecentRanges<Space, const int> ranges;
  const int large = 1, small = 2, smaller = 3;
  ranges.add({1}, 0x10000, 0x0, 0x100000, large);
  ranges.add({1}, 0x200010, 0x200000, 0x200020, small);
  ranges.add({1}, 0x200028, 0x200028, 0x20002c, smaller);
  EXPECT_EQ(ranges.find({1}, 0x10008), &large);
  EXPECT_EQ(ranges.find({1}, 0x200014), &small);
  EXPECT_EQ(ranges.find({1}, 0x20002b), &smaller);
}

TEST(RecentRanges, TheWholeAddressSpaceIsARange) {
  RecentRanges<Space, const int> ranges;
  const int value = 1;
  ranges.add({1}, ~std::uint64_t{0} - 1, 0, ~std::uint64_t{0}, value);
  EXPECT_EQ(ranges.find({1}, ~std::uint64_t{0} - 1), &value);
}

TEST(RecentRanges, AreEmptyAfterClear) {
  RecentRanges<Space, const int> ranges;
  const int value = 1;
  ranges.add({0}, 0, 0, 8, value);
  EXPECT_EQ(ranges.find({0}, 0), &value);
  ranges.clear();
  EXPECT_EQ(ranges.find({0}, 0), nullptr);
}

}  // namespace
}  // namespace perfsift
