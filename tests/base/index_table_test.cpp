#include "base/index_table.h"

#include <map>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "base/hash.h"

namespace perfsift {
namespace {

TEST(IndexTable, FindsEveryElementWhileItGrows) {
  std::mt19937_64 random(7);
  std::vector<std::uint64_t> keys;
  std::map<std::uint64_t, std::size_t> expected;
  IndexTable table;
  for (int i = 0; i < 200'000; ++i) {
    const std::uint64_t key = random() % 50'000;
    const std::uint64_t hash = mix(key ^ odd_1, odd_2);
    table.prefetch(hash);
    const auto found = table.find(hash, [&](std::size_t index) { return keys[index] == key; });
    const auto known = expected.find(key);
    ASSERT_EQ(found.has_value(), known != expected.end());
    if (found) {
      ASSERT_EQ(*found, known->second);
      continue;
    }
    expected.emplace(key, keys.size());
    table.add(hash);
    keys.push_back(key);
  }
}

TEST(IndexTable, KeysOfOneHashAreToldApart) {
  constexpr std::uint64_t hash = 0x123456789abcdef0;
  IndexTable table;
  std::vector<int> keys;
  for (int key = 0; key < 100; ++key) {
    EXPECT_FALSE(table.find(hash, [&](std::size_t index) { return keys[index] == key; }));
    table.add(hash);
    keys.push_back(key);
  }
  for (int key = 0; key < 100; ++key)
    EXPECT_EQ(table.find(hash, [&](std::size_t index) { return keys[index] == key; }), key);
}

TEST(IndexTable, OnlyAnElementIsLikely) {
  IndexTable table;
  const std::uint64_t hash = mix(1 ^ odd_1, odd_2);
  EXPECT_FALSE(table.likely(hash));
  table.add(hash);
  EXPECT_EQ(table.likely(hash), 0u);
}

}  // namespace
}  // namespace perfsift
