#include "base/stable_vector.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace perfsift {
namespace {

TEST(StableVector, HoldsWhatWasAppendedInItsOrder) {
  StableVector<std::uint32_t> vector;
  std::vector<std::uint32_t> expected;
  EXPECT_TRUE(vector.empty());
  for (std::uint32_t i = 0; i < 100'000; ++i) {
    EXPECT_EQ(vector.push_back(i * 3), i * 3);
    expected.push_back(i * 3);
  }
  ASSERT_EQ(vector.size(), expected.size());
  EXPECT_TRUE(std::equal(vector.begin(), vector.end(), expected.begin(), expected.end()));
  for (const std::size_t i : {0u, 63u, 64u, 65u, 191u, 192u, 99'999u}) EXPECT_EQ(vector[i], expected[i]) << i;
}

TEST(StableVector, ElementsStayWhereTheyAre) {
  StableVector<std::uint64_t> vector;
  std::vector<const std::uint64_t*> places;
  for (std::uint64_t i = 0; i < 3'000'000; ++i) places.push_back(&vector.push_back(i));
  for (std::uint64_t i = 0; i < places.size(); i += 1009) {
    EXPECT_EQ(places[i], &vector[i]);
    EXPECT_EQ(*places[i], i);
  }
}

TEST(StableVector, WhatIsTakenBackIsAppendedOver) {
  StableVector<int> vector;
  for (int i = 0; i < 65; ++i) vector.push_back(i);
  vector.pop_back();
  vector.pop_back();
  vector.push_back(-1);
  EXPECT_EQ(vector.size(), 64u);
  EXPECT_EQ(vector.back(), -1);
}

}  // namespace
}  // namespace perfsift
