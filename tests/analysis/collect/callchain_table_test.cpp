#include "analysis/collect/callchain_table.h"

#include <array>
#include <map>
#include <set>
#include <thread>

#include <gmock/gmock.h>

namespace perfsift::analysis {
namespace {

using Chain = std::vector<Unaligned<std::uint64_t>>;

struct Counted {
  std::uint64_t samples = 0;
  std::uint64_t value = 0;
  bool operator==(const Counted&) const = default;
};

using ByWords = std::map<std::vector<std::uint64_t>, Counted>;

// The counts of a table with a single counter, summed over all leaves.
ByWords by_words(const CallchainTable& table, CallchainTable::Counter& counter) {
  ByWords result;
  counter.look_up_rest();
  const std::vector<const KnownCallchain*> known = table.callchains();
  for (const KnownCallchain* chain : known) {
    const bool is_new = result.try_emplace({chain->words().begin(), chain->words().end()}).second;
    EXPECT_TRUE(is_new) << "the same callchain twice";
  }
  counter.for_each_count([&](const LeafCount& count) {
    const reader::Words words = known[count.callchain]->words();
    Counted& counted = result[{words.begin(), words.end()}];
    counted.samples += count.amount.samples, counted.value += count.amount.value;
  });
  return result;
}

TEST(CallchainTable, EqualCallchainsAreOneWithAllSamplesAndValues) {
  const Chain one{1, 2, 3}, same{1, 2, 3}, longer{1, 2, 3, 4}, other{1, 2, 4};
  CallchainTable table(1);
  CallchainTable::Counter& counter = table.new_counter();
  counter.add({}, one, true, 0, 10);
  counter.add({}, longer, true, 0, 1);
  counter.add({}, same, true, 0, 5);
  counter.add({}, other, true, 0, 2);
  counter.add({}, {}, true, 0, 3);
  EXPECT_EQ(by_words(table, counter),
            (ByWords{{{1, 2, 3}, {2, 15}}, {{1, 2, 3, 4}, {1, 1}}, {{1, 2, 4}, {1, 2}}, {{}, {1, 3}}}));
}

TEST(CallchainTable, WhateverAnOwnerDiffersInKeepsCallchainsApart) {
  const CallchainOwner owners[] = {{},          {.comm = 1},         {.maps = 1},  {.kernel_maps = 1},
                                   {.pid = 1},  {.tid = 1},          {.event = 1}, {.mode = 1},
                                   {.note = 1}, {.code_version = 1}, {.pid = -1},  {.tid = -1}};
  const Chain chain{1, 2};
  CallchainTable table(1);
  CallchainTable::Counter& counter = table.new_counter();
  for (int i = 0; i < 3; ++i) {
    for (const CallchainOwner& owner : owners) counter.add(owner, chain, true, 0, 1);
  }
  counter.look_up_rest();
  std::size_t counts = 0;
  counter.for_each_count([&](const LeafCount& count) {
    ++counts;
    EXPECT_EQ(count.amount.samples, 3u);
    EXPECT_THAT(owners, testing::Contains(table.callchains()[count.callchain]->owner));
  });
  EXPECT_EQ(counts, std::size(owners));
}

// The table compares callchains only by their hashes.
TEST(CallchainTable, CallchainsThatAreNearlyEqualAreNotEqual) {
  constexpr std::size_t size = 23;
  std::set<std::vector<std::uint64_t>> chains;
  for (const std::uint64_t step : {0, 1, 0x1000}) {
    std::vector<std::uint64_t> chain;
    chains.insert(chain);
    for (std::size_t i = 0; i < size; ++i) {
      chain.push_back(0x7f0012345678 + i * step);
      chains.insert(chain);
      chains.insert(std::vector<std::uint64_t>(i, step));
    }
    for (std::size_t i = 0; i < size; ++i) {
      for (unsigned bit = 0; bit < 64; ++bit) {
        auto changed = chain;
        changed[i] ^= std::uint64_t{1} << bit;
        chains.insert(changed);
      }
      for (std::size_t j = 0; j < i; ++j) {
        auto changed = chain;
        std::swap(changed[i], changed[j]);
        chains.insert(changed);
      }
    }
  }
  CallchainTable table(1);
  CallchainTable::Counter& counter = table.new_counter();
  for (const auto& chain : chains) counter.add({}, Chain(chain.begin(), chain.end()), false, 0, 1);
  counter.look_up_rest();
  EXPECT_GT(chains.size(), 4000u);
  EXPECT_EQ(counter.callchains().size(), chains.size());
}

TEST(CallchainTable, WordsThatDoNotLastAreCopied) {
  Chain reused{1, 2};
  CallchainTable table(1);
  CallchainTable::Counter& counter = table.new_counter();
  counter.add({}, reused, false, 0, 1);
  reused = {3, 4};
  counter.add({}, reused, false, 0, 1);
  reused = {1, 2};
  counter.add({}, reused, false, 0, 1);
  reused = {9, 9};
  EXPECT_EQ(by_words(table, counter), (ByWords{{{1, 2}, {2, 2}}, {{3, 4}, {1, 1}}}));
}

TEST(CallchainTable, LongWordsThatDoNotLastAreCopied) {
  CallchainTable table(1);
  CallchainTable::Counter& counter = table.new_counter();
  ByWords expected;
  for (const std::size_t length : {1u, 3000u, 3000u, 9000u, 2u, 70'000u, 1u}) {
    Chain reused(length, length);
    counter.add({}, reused, false, 0, 1);
    auto& sum = expected[{reused.begin(), reused.end()}];
    ++sum.samples, ++sum.value;
    std::ranges::fill(reused, 0);
  }
  EXPECT_EQ(by_words(table, counter), expected);
}

TEST(CallchainTable, CountsManyDistinctCallchainsAsAMapDoes) {
  constexpr std::uint64_t distinct = 40'000;
  std::vector<Chain> chains;
  for (std::uint64_t i = 0; i < distinct; ++i) {
    Chain& chain = chains.emplace_back();
    for (std::uint64_t depth = 0; depth <= i % 9; ++depth) chain.push_back(i >> depth);
    chain.push_back(i);
  }
  CallchainTable table(1);
  CallchainTable::Counter& counter = table.new_counter();
  std::map<std::vector<std::uint64_t>, Counted> expected;
  std::uint64_t pick = 1;
  for (std::uint64_t i = 0; i < 3 * distinct; ++i) {
    pick = pick * 6364136223846793005 + 1442695040888963407;
    const Chain& chain = chains[(pick >> 33) % distinct];
    counter.add({}, chain, true, 0, i);
    Counted& counted = expected[{chain.begin(), chain.end()}];
    ++counted.samples, counted.value += i;
  }
  EXPECT_TRUE(by_words(table, counter) == expected);
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
          // Pairs of threads use the same order, so that sometimes both see a new callchain at the same time.
          const std::uint64_t pick = (i * 7 + thread / 2 * 1000) % distinct;
          counter.add({}, chains[pick], pick % 2 == 0, thread, pick);
        }
        counter.look_up_rest();
      });
    }
  }
  const std::vector<const KnownCallchain*> known = table.callchains();
  std::map<std::uint64_t, std::uint32_t> numbers;
  for (const KnownCallchain* chain : known) {
    if (chain == nullptr) continue;
    const bool is_new = numbers.try_emplace(chain->words()[0], chain->number).second;
    EXPECT_TRUE(is_new) << "two threads made entries for one callchain";
  }
  ASSERT_EQ(numbers.size(), distinct);
  for (std::uint32_t thread = 0; thread < threads; ++thread) {
    std::size_t counts = 0;
    counters[thread]->for_each_count([&](const LeafCount& count) {
      ++counts;
      const std::uint64_t first = known[count.callchain]->words()[0];
      EXPECT_EQ((Counted{count.amount.samples, count.amount.value}), (Counted{times, times * first})) << first;
      EXPECT_EQ(count.leaf, thread);
    });
    EXPECT_EQ(counts, distinct);
  }
}

TEST(CallchainTable, LeavesAreCountedApart) {
  const Chain one{1, 2}, other{3};
  CallchainTable table(1);
  CallchainTable::Counter& counter = table.new_counter();
  counter.add({}, one, true, 7, 10);
  counter.add({}, other, true, 7, 1);
  counter.add({}, one, true, 8, 2);
  counter.add({}, one, true, 7, 5);
  counter.look_up_rest();
  std::vector<std::array<std::uint64_t, 4>> counts;
  counter.for_each_count([&](const LeafCount& count) {
    counts.push_back(
        {table.callchains()[count.callchain]->words()[0], count.leaf, count.amount.samples, count.amount.value});
  });
  EXPECT_THAT(counts,
              testing::ElementsAre(std::array<std::uint64_t, 4>{1, 7, 2, 15}, std::array<std::uint64_t, 4>{3, 7, 1, 1},
                                   std::array<std::uint64_t, 4>{1, 8, 1, 2}));
}

TEST(CallchainTable, SamplesCanBeCountedLater) {
  const Chain one{1, 2}, other{3};
  CallchainTable table(1);
  CallchainTable::Counter& counter = table.new_counter(CallchainTable::Counting::later);
  std::array<std::uint32_t, 3> numbers{};
  counter.add({}, one, true, 7, 0, &numbers[0]);
  counter.add({}, other, true, 7, 0, &numbers[1]);
  counter.add({}, one, true, 8, 0, &numbers[2]);
  counter.look_up_rest();
  EXPECT_EQ(numbers[0], numbers[2]);
  EXPECT_EQ(table.callchains()[numbers[1]]->words()[0], 3u);
  EXPECT_TRUE(counter.other_counts().empty());
  EXPECT_EQ(counter.count(numbers[0], 7, {.samples = 4, .value = 40}), 0u);
  EXPECT_EQ(counter.count(numbers[0], 8, {.samples = 1, .value = 10}), 1u);
  EXPECT_EQ(counter.count(numbers[0], 7, {.samples = 2, .value = 20}), 0u);
  ASSERT_EQ(counter.other_counts().size(), 2u);
  EXPECT_EQ(counter.other_counts()[0].callchain, numbers[0]);
  EXPECT_EQ(counter.other_counts()[0].amount, (Amount{.samples = 6, .value = 60}));
}

}  // namespace
}  // namespace perfsift::analysis
