#include "base/shared_map.h"

#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace perfsift {
namespace {

using Map = SharedMap<std::uint64_t, int, std::hash<std::uint64_t>>;

TEST(SharedMap, WhatIsThereStays) {
  Map map;
  EXPECT_EQ(map.find(7), std::nullopt);
  EXPECT_EQ(map.insert(7, 1), 1);
  EXPECT_EQ(map.insert(7, 2), 1);
  EXPECT_EQ(map.find(7), 1);
  EXPECT_EQ(map.find(8), std::nullopt);
}

TEST(SharedMap, ThreadsAgreeOnEachValue) {
  constexpr std::uint64_t keys = 20'000;
  constexpr int threads = 4;
  Map map;
  std::vector<std::vector<int>> seen(threads, std::vector<int>(keys));
  {
    std::vector<std::jthread> running;
    for (int thread = 0; thread < threads; ++thread) {
      running.emplace_back([&map, &mine = seen[static_cast<std::size_t>(thread)], thread] {
        for (std::uint64_t i = 0; i < keys; ++i) {
          const std::uint64_t key = i << 40 | i;  // keys in all parts of the map
          const auto known = map.find(key);
          mine[i] = known ? *known : map.insert(key, thread);
        }
      });
    }
  }
  for (int thread = 1; thread < threads; ++thread) EXPECT_EQ(seen[static_cast<std::size_t>(thread)], seen[0]);
}

}  // namespace
}  // namespace perfsift
