#include "base/recent_cache.h"

#include <cstdint>
#include <functional>

#include <gmock/gmock.h>

#include "base/recent_map.h"

namespace perfsift {
namespace {

using IntCache = RecentCache<std::uint64_t, int, 4>;

int made = 0;
int& ask(IntCache& cache, std::uint64_t key, std::uint64_t hash, int value) {
  return cache.get(key, hash, [&] {
    ++made;
    return value;
  });
}

TEST(RecentCache, MakesAValueOnceWhileTheKeyKeepsItsSlot) {
  made = 0;
  IntCache cache;
  EXPECT_EQ(ask(cache, 0, 0, 10), 10) << "an empty slot is not the slot of key 0";
  EXPECT_EQ(ask(cache, 0, 0, 11), 10);
  EXPECT_EQ(ask(cache, 7, 1, 12), 12);
  EXPECT_EQ(ask(cache, 0, 0, 13), 10);
  EXPECT_EQ(made, 2);
}

TEST(RecentCache, GivesTheSlotToTheLatestKey) {
  IntCache cache;
  ask(cache, 1, 2, 10);
  EXPECT_EQ(ask(cache, 5, 6, 20), 20) << "hashes 2 and 6 share a slot";
  EXPECT_EQ(ask(cache, 1, 2, 30), 30);
}

TEST(RecentCache, IsEmptyAfterClear) {
  IntCache cache;
  ask(cache, 1, 1, 10);
  cache.clear();
  EXPECT_EQ(ask(cache, 1, 1, 20), 20);
}

using RecentInts = RecentMap<std::uint64_t, int, std::hash<std::uint64_t>, 4>;

TEST(RecentMap, KeepsTheKeysThatLostTheirSlot) {
  RecentInts map;
  for (std::uint64_t key = 0; key < 100; ++key) map[key] = static_cast<int>(key);
  EXPECT_EQ(map.size(), 100);
  for (std::uint64_t key = 0; key < 100; ++key) {
    const auto [value, is_new] = map.try_emplace(key);
    EXPECT_EQ(value, static_cast<int>(key));
    EXPECT_FALSE(is_new);
  }
  EXPECT_TRUE(map.try_emplace(100).second);
  EXPECT_FALSE(map.try_emplace(100).second);
  map.clear();
  EXPECT_TRUE(map.try_emplace(3).second);
}

}  // namespace
}  // namespace perfsift
