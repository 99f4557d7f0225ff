#include "store/access_rows.h"

#include <string>
#include <string_view>

#include <gmock/gmock.h>

#include "analysis/memory/access_summer.h"
#include "analysis/profile/profile.h"
#include "base/data_source.h"
#include "base/error.h"
#include "store/engine/row_binary.h"
#include "store/stored_accesses.h"
#include "tests/store/fake_engine.h"

namespace perfsift::store {
namespace {

using analysis::FrameId;
using analysis::NodeMatch;
using analysis::SummedAccess;

// PERF_MEM_S(OP, LOAD) | PERF_MEM_S(LVL, HIT) | PERF_MEM_S(LVL, L1) | PERF_MEM_S(SNOOP, NONE): perf's words are LOAD,
// "L1 hit" and None.
constexpr std::uint64_t load_of_l1 = 0x02 | 0x02 << 5 | 0x08 << 5 | 0x02 << 19;

class AccessRowsTest : public testing::Test {
 protected:
  FrameId text(std::string_view of) { return profile_.frames().intern(of); }
  SummedAccess access() {
    return {.time = 1000,
            .event = text("cpu/mem-loads/"),
            .comm = text("web"),
            .cgroup = text("[unknown]"),
            .symbol = text("work"),
            .dso = text("web.so"),
            .variable = text("orders"),
            .dso_daddr = text("web.so"),
            .kind = text("data"),
            .source = load_of_l1,
            .has_address = true,
            .mapped = true,
            .node = NodeMatch::own,
            .latency_bucket = 16};
  }
  RecordingRows rows() {
    const analysis::SummedAccesses accesses = summer_.sums(profile_.frames());
    RecordingRows rows;
    StackRows stacks(profile_, false, rows);
    write_accesses(accesses, "shop", 77, stacks, rows);
    return rows;
  }

  analysis::Profile profile_;
  analysis::AccessSummer summer_;
};

TEST_F(AccessRowsTest, EqualAccessesAreOneRow) {
  const std::vector<FrameId> stack = {text("main"), text("work")};
  summer_.add(access(), stack, {.samples = 1, .value = 16});
  analysis::AccessSummer other;
  other.add(access(), stack, {.samples = 1, .value = 17});
  summer_.add(other);
  const RecordingRows found = rows();
  RowReader row(found.accesses);
  EXPECT_EQ(row.text(), "shop");
  EXPECT_EQ(row.text(), "cpu/mem-loads/");
  EXPECT_EQ(row.u32(), 1000u);
  EXPECT_EQ(row.id(), found.stacks.rows.front().id);
  for (const char* const words : {"web", "", "LOAD", "L1 hit", "None"}) EXPECT_EQ(row.text(), words);
  EXPECT_EQ(row.u64(), load_of_l1);
  for (const char* const words : {"work", "web.so", "orders", "web.so", "data", "own"}) EXPECT_EQ(row.text(), words);
  EXPECT_TRUE(row.boolean());
  EXPECT_TRUE(row.boolean());
  EXPECT_EQ(row.u32(), 16u);
  EXPECT_EQ(row.u64(), 77u);
  EXPECT_EQ(row.u64(), 2u);
  EXPECT_EQ(row.u64(), 33u);
  EXPECT_TRUE(row.at_end());
}

TEST_F(AccessRowsTest, DifferentStacksAndLatenciesAreRowsOfTheirOwn) {
  summer_.add(access(), {text("main")}, {.samples = 1, .value = 16});
  summer_.add(access(), {}, {.samples = 1, .value = 16});
  SummedAccess slow = access();
  slow.latency_bucket = 40;
  summer_.add(slow, {}, {.samples = 1, .value = 128});
  EXPECT_EQ(summer_.sums(profile_.frames()).sums.size(), 3u);
  EXPECT_EQ(rows().stacks.rows.size(), 2u);
}

std::string sum_row(const Hash128& stack, std::string_view node, const Hash128& accesses) {
  std::string bytes;
  RowWriter row(bytes);
  row.id(stack);
  for (const char* const words : {"cpu/mem-loads/", "web", ""}) row.text(words);
  row.u64(load_of_l1);
  for (const char* const words : {"work", "web.so", "orders", "web.so", "data"}) row.text(words);
  row.text(node);
  row.boolean(true);
  row.boolean(true);
  row.u32(16);
  row.id(accesses);
  row.id({.low = 33});
  return bytes;
}

TEST_F(AccessRowsTest, ComeBackFromAStore) {
  summer_.add(access(), {text("main"), text("work")}, {.samples = 2, .value = 33});
  const RecordingRows stored = rows();
  const Hash128 stack = stored.stacks.rows.front().id;
  test::FakeEngine engine;
  engine.answers = {
      {"FROM functions", stored.functions.bytes},
      {"SELECT id, frames FROM stacks", stored.stacks.bytes},
      {"FROM accesses", sum_row(stack, "own", {.low = 2}) + sum_row(stack, "of a later version", {.low = 2})}};
  analysis::FrameTable frames;
  const analysis::SummedAccesses found = read_accesses(engine, {}, frames, {}, true);
  ASSERT_EQ(found.sums.size(), 2u);
  const SummedAccess& key = found.sums.front().key;
  EXPECT_EQ(frames.text(key.cgroup), "[unknown]");
  EXPECT_EQ(frames.text(key.variable), "orders");
  EXPECT_EQ(key.source, load_of_l1);
  EXPECT_EQ(key.node, NodeMatch::own);
  EXPECT_EQ(key.latency_bucket, 16u);
  EXPECT_EQ(found.sums.front().amount, (analysis::Amount{.samples = 2, .value = 33}));
  ASSERT_EQ(found.stacks.size(), 1u);
  ASSERT_EQ(found.stacks.front().size(), 2u);
  EXPECT_EQ(frames.text(found.stacks.front().front()), "main");
  EXPECT_EQ(found.sums.back().key.node, NodeMatch::unknown);
}

TEST_F(AccessRowsTest, WhatAStoreLacksIsAnError) {
  const auto read = [&](const std::string& sums, bool with_stacks) {
    test::FakeEngine engine;
    engine.answers = {{"FROM accesses", sums}};
    analysis::FrameTable frames;
    (void)read_accesses(engine, {}, frames, {}, with_stacks);
  };
  const std::string good = sum_row({.low = 1}, "", {.low = 2});
  EXPECT_THROW(read(good, true), InputError);
  EXPECT_NO_THROW(read(good, false));
  EXPECT_THROW(read(sum_row({.low = 1}, "", {.low = 0, .high = 1}), false), InputError);
  for (std::size_t size = 1; size < good.size(); ++size)
    EXPECT_THROW(read(good.substr(0, size), false), InputError) << size;
}

}  // namespace
}  // namespace perfsift::store
