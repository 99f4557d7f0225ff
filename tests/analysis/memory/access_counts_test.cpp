// The categories of accesses. The values are those of the PERF_MEM_S() macros in include/uapi/linux/perf_event.h. The
// expected counts follow c2c_decode_stats() in tools/perf/util/mem-events.c.

#include "analysis/memory/access_counts.h"

#include <gtest/gtest.h>

namespace perfsift::analysis::access_counts_tests {  // a unity build compiles other tests in the same file
namespace {

constexpr std::uint64_t load = 2, store = 4, exec = 16;
constexpr std::uint64_t level(std::uint64_t bits) { return bits << 5; }
constexpr std::uint64_t snoop(std::uint64_t bits) { return bits << 19; }
constexpr std::uint64_t number(std::uint64_t number) { return number << 33; }
constexpr std::uint64_t remote = std::uint64_t{1} << 37;
constexpr std::uint64_t peer = std::uint64_t{2} << 38;
constexpr std::uint64_t hops(std::uint64_t count) { return count << 43; }
constexpr std::uint64_t hit = 2, miss = 4, l1 = 8, l3 = 0x40, remote_ram = 0x100, remote_cache = 0x400;
constexpr std::uint64_t hitm = 16, snoop_hit = 4;

AccessCounts counts_of(std::uint64_t source) {
  AccessCounts counts;
  counts.add(DataSource(source), true, true);
  return counts;
}

TEST(AccessCounts, HitmInTheOwnNodeIsNoHitOfTheCache) {
  const AccessCounts counts = counts_of(load | level(hit | l3) | snoop(hitm));
  EXPECT_EQ(counts.local_hitm, 1u);
  EXPECT_EQ(counts.load_llc, 0u);
  EXPECT_EQ(conflict_of(DataSource(load | level(hit | l3) | snoop(hitm))), Conflict::local_hitm);
}

// The result of perf 7.2. perf 6.12 counts these accesses as hits.
TEST(AccessCounts, HitmInACacheThatCoresShare) {
  constexpr std::uint64_t l2 = 0x20;
  const AccessCounts counts = counts_of(load | level(hit | l2) | snoop(hitm));
  EXPECT_EQ(counts.local_hitm, 1u);
  EXPECT_EQ(counts.load_l2, 0u);
  EXPECT_EQ(conflict_of(DataSource(load | level(hit | l2) | snoop(hitm))), Conflict::local_hitm);
}

TEST(AccessCounts, RemoteCaches) {
  EXPECT_EQ(counts_of(load | level(hit | remote_cache) | snoop(hitm)).remote_hitm, 1u);
  EXPECT_EQ(counts_of(load | level(hit | remote_cache) | snoop(snoop_hit)).load_remote_cache, 1u);
  EXPECT_EQ(counts_of(load | level(hit | remote_cache) | peer).remote_peer, 1u);
}

// The counts of perf c2c report --stats of perf 6.1 for such samples.
TEST(AccessCounts, RemoteCachesWithoutAHit) {
  constexpr std::uint64_t not_available = 1, l3_number = 3, any_cache = 11;
  const auto remote_hitm = [](std::uint64_t source) {
    EXPECT_EQ(conflict_of(DataSource(load | source | snoop(hitm))) == Conflict::remote_hitm,
              counts_of(load | source | snoop(hitm)).remote_hitm == 1);
    return counts_of(load | source | snoop(hitm)).remote_hitm;
  };
  EXPECT_EQ(remote_hitm(level(miss | remote_cache)), 1u);
  EXPECT_EQ(remote_hitm(level(remote_cache)), 1u);
  EXPECT_EQ(remote_hitm(level(not_available) | number(l3_number) | remote), 1u);
  EXPECT_EQ(remote_hitm(remote), 1u);
  for (const std::uint64_t outcome : {std::uint64_t{0}, not_available, miss}) {
    EXPECT_EQ(remote_hitm(level(outcome) | number(l3_number) | remote | hops(1)), 0u) << outcome;
    EXPECT_EQ(remote_hitm(level(outcome) | number(any_cache) | remote | hops(1)), 0u) << outcome;
    EXPECT_EQ(counts_of(load | level(outcome) | number(any_cache) | remote | hops(1) | peer).remote_peer, 0u)
        << outcome;
  }
  EXPECT_EQ(counts_of(load | level(miss | remote_cache) | snoop(hitm)).load_miss, 1u);
}

// Skylake sets mem_remote for remote accesses with an unknown level. With hops it means another core of the node.
TEST(AccessCounts, RemoteWithoutALevel) {
  EXPECT_EQ(counts_of(load | level(hit) | remote).load_remote_ram, 1u);
  EXPECT_EQ(counts_of(load | level(hit) | remote | hops(1)).load_remote_ram, 0u);
}

TEST(AccessCounts, NumbersOfLevelsMeanTheSameAsBits) {
  const std::uint64_t bits[] = {level(hit | l1), level(hit | l3) | snoop(hitm),
                                level(hit | remote_cache) | remote | snoop(hitm), level(hit | remote_ram) | remote};
  const std::uint64_t numbers[] = {level(hit) | number(1), level(hit) | number(3) | snoop(hitm),
                                   level(hit) | number(3) | remote | snoop(hitm), level(hit) | number(13) | remote};
  for (std::size_t i = 0; i < std::size(bits); ++i) {
    EXPECT_EQ(counts_of(load | numbers[i]), counts_of(load | bits[i])) << i;
  }
}

TEST(AccessCounts, Stores) {
  EXPECT_EQ(counts_of(store | level(hit | l1)).store_l1_hit, 1u);
  EXPECT_EQ(counts_of(store | level(miss | l1)).store_l1_miss, 1u);
  EXPECT_EQ(counts_of(store | level(1)).store_unknown_level, 1u);
}

TEST(AccessCounts, AccessesThatCountForNoLine) {
  const DataSource a_load(load | level(hit | l1)), other(exec);
  EXPECT_TRUE(counts_for_line(a_load, true, true));
  EXPECT_FALSE(counts_for_line(a_load, false, true));
  EXPECT_FALSE(counts_for_line(other, true, true));
  EXPECT_FALSE(counts_for_line(a_load, true, false));
  AccessCounts counts;
  counts.add(a_load, false, true);
  counts.add(other, true, true);
  counts.add(a_load, true, false);
  EXPECT_EQ(counts.loads_without_address, 1u);
  EXPECT_EQ(counts.neither, 1u);
  EXPECT_EQ(counts.unmapped, 1u);
}

TEST(AccessCounts, ValuesThatTheKernelDoesNotDefine) {
  EXPECT_EQ(counts_of(load | hops(5)).unknown_value, 1u);
  EXPECT_EQ(counts_of(load | std::uint64_t{1} << 60).unknown_value, 1u);
  EXPECT_EQ(counts_of(load | hops(4)).unknown_value, 0u);
}

TEST(AccessCounts, AddUpSeveralTimes) {
  AccessCounts counts = counts_of(load | level(hit | l1));
  counts.add(counts_of(store | level(hit | l1)), 3);
  EXPECT_EQ(counts.records, 4u);
  EXPECT_EQ(counts.load_l1, 1u);
  EXPECT_EQ(counts.store_l1_hit, 3u);
}

}  // namespace
}  // namespace perfsift::analysis::access_counts_tests
