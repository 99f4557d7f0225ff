#include "tools/profile/callchain_table.h"

#include <map>
#include <thread>

#include <gmock/gmock.h>

namespace perfsift::tools {
namespace {

using Chain = std::vector<Unaligned<std::uint64_t>>;

struct Counted {
  std::uint64_t samples = 0;
  std::uint64_t value = 0;
  bool operator==(const Counted&) const = default;
};

std::map<std::vector<std::uint64_t>, Counted> by_words(CallchainTable::Counter& table) {
  std::map<std::vector<std::uint64_t>, Counted> result;
  table.look_up_rest();
  for (const CountedCallchain& chain : table.callchains()) {
    const bool is_new =
        result.try_emplace({chain.words().begin(), chain.words().end()}, chain.samples, chain.value).second;
    EXPECT_TRUE(is_new) << "the same callchain twice";
  }
  return result;
}

TEST(CallchainTable, EqualCallchainsAreOneWithAllSamplesAndValues) {
  const Chain one{1, 2, 3}, same{1, 2, 3}, longer{1, 2, 3, 4}, other{1, 2, 4};
  CallchainTable shared(1);
  CallchainTable::Counter& table = shared.new_counter();
  table.add({}, one, true, 10);
  table.add({}, longer, true, 1);
  table.add({}, same, true, 5);
  table.add({}, other, true, 2);
  table.add({}, {}, true, 3);
  using Expected = std::map<std::vector<std::uint64_t>, Counted>;
  EXPECT_EQ(by_words(table),
            (Expected{{{1, 2, 3}, {2, 15}}, {{1, 2, 3, 4}, {1, 1}}, {{1, 2, 4}, {1, 2}}, {{}, {1, 3}}}));
}

TEST(CallchainTable, WhateverAnOwnerDiffersInKeepsCallchainsApart) {
  const CallchainOwner owners[] = {{},         {.comm = 1},  {.maps = 1}, {.kernel_maps = 1}, {.pid = 1},
                                   {.tid = 1}, {.event = 1}, {.mode = 1}, {.pid = -1},        {.tid = -1}};
  const Chain chain{1, 2};
  CallchainTable shared(1);
  CallchainTable::Counter& table = shared.new_counter();
  for (int i = 0; i < 3; ++i) {
    for (const CallchainOwner& owner : owners) table.add(owner, chain, true, 1);
  }
  table.look_up_rest();
  ASSERT_EQ(table.callchains().size(), std::size(owners));
  for (const CountedCallchain& counted : table.callchains()) {
    EXPECT_EQ(counted.samples, 3u);
    EXPECT_THAT(owners, testing::Contains(counted.owner));
  }
}

TEST(CallchainTable, WordsThatDoNotLastAreCopied) {
  Chain reused{1, 2};
  CallchainTable shared(1);
  CallchainTable::Counter& table = shared.new_counter();
  table.add({}, reused, false, 1);
  reused = {3, 4};
  table.add({}, reused, false, 1);
  reused = {1, 2};
  table.add({}, reused, false, 1);
  reused = {9, 9};
  using Expected = std::map<std::vector<std::uint64_t>, Counted>;
  EXPECT_EQ(by_words(table), (Expected{{{1, 2}, {2, 2}}, {{3, 4}, {1, 1}}}));
}

TEST(CallchainTable, CountsManyDistinctCallchainsAsAMapDoes) {
  constexpr std::uint64_t distinct = 40'000;
  std::vector<Chain> chains;
  for (std::uint64_t i = 0; i < distinct; ++i) {
    Chain& chain = chains.emplace_back();
    for (std::uint64_t depth = 0; depth <= i % 9; ++depth) chain.push_back(i >> depth);
    chain.push_back(i);
  }
  CallchainTable shared(1);
  CallchainTable::Counter& table = shared.new_counter();
  std::map<std::vector<std::uint64_t>, Counted> expected;
  std::uint64_t pick = 1;
  for (std::uint64_t i = 0; i < 3 * distinct; ++i) {
    pick = pick * 6364136223846793005 + 1442695040888963407;
    const Chain& chain = chains[(pick >> 33) % distinct];
    table.add({}, chain, true, i);
    Counted& counted = expected[{chain.begin(), chain.end()}];
    ++counted.samples, counted.value += i;
  }
  EXPECT_TRUE(by_words(table) == expected);
}

TEST(CallchainTable, ThreadsCountOneTableTogether) {
  constexpr std::uint64_t distinct = 30'000, times = 4;
  constexpr unsigned threads = 4;
  std::vector<Chain> chains;
  for (std::uint64_t i = 0; i < distinct; ++i) chains.push_back({i, i * i});
  CallchainTable table(threads);
  std::vector<CallchainTable::Counter*> counters;
  {
    std::vector<std::jthread> running;
    for (unsigned thread = 0; thread < threads; ++thread) {
      CallchainTable::Counter& counter = *counters.emplace_back(&table.new_counter());
      running.emplace_back([&chains, &counter, thread] {
        for (std::uint64_t i = 0; i < times * distinct; ++i) {
          const std::uint64_t pick = (i * 7 + thread * 1000) % distinct;
          counter.add({}, chains[pick], pick % 2 == 0, pick);
        }
        counter.look_up_rest();
      });
    }
  }
  std::map<std::uint64_t, Counted> all;
  for (const CallchainTable::Counter* counter : counters) {
    for (const CountedCallchain& chain : counter->callchains()) {
      const bool is_new = all.try_emplace(chain.words()[0], chain.samples, chain.value).second;
      EXPECT_TRUE(is_new) << "two threads made entries for one callchain";
    }
  }
  ASSERT_EQ(all.size(), distinct);
  for (const auto& [first, counted] : all) {
    EXPECT_EQ(counted, (Counted{times * threads, times * threads * first})) << first;
  }
}

}  // namespace
}  // namespace perfsift::tools
