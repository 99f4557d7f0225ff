#include "store/wait_rows.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "analysis/profile/profile.h"
#include "base/error.h"
#include "base/histogram_bucket.h"
#include "filter/wait_kind.h"
#include "store/engine/row_binary.h"
#include "store/stored_waits.h"
#include "tests/store/fake_engine.h"

namespace perfsift::store {
namespace {

using analysis::FrameKind;
using offcpu::SummedWait;
using offcpu::TaskState;
using testing::ElementsAre;

// Two stacks of addresses that are one stack of functions, main;futex_wait, and one without frames.
class WaitRowsTest : public testing::Test {
 protected:
  WaitRowsTest() {
    const auto main = profile_.frames().intern("main", {.kind = FrameKind::user});
    const auto wait = profile_.frames().intern("futex_wait", {.kind = FrameKind::kernel});
    waits_.frames = &profile_.frames();
    waits_.stacks = {{main, wait}, {main, wait}, {}};
    waits_.threads = {"web", "db"};
    waits_.cgroups = {"", "/shop"};
  }

  SummedWait& wait(std::uint32_t stack, std::uint32_t thread, const offcpu::IntervalSums& sums) {
    SummedWait& added = waits_.sums.emplace_back();
    added.time = 1000;
    added.stack = stack;
    added.thread = thread;
    added.state = TaskState(TaskState::sleeping);
    added.kinds = filter::wait_lock | filter::wait_futex;
    added.woken = true;
    added.sums = sums;
    return added;
  }
  RecordingRows rows() {
    RecordingRows rows;
    StackRows stacks(profile_, false, rows);
    write_waits(waits_, "shop", 77, stacks, rows);
    return rows;
  }

  analysis::Profile profile_;
  offcpu::SummedWaits waits_;
};

TEST_F(WaitRowsTest, WaitsThatAreEqualInFunctionsAndNamesAreOneRow) {
  wait(0, 0, {.count = 2, .blocked = 10, .run_queue = 4, .longest = 9});
  wait(1, 0, {.count = 1, .blocked = 5, .run_queue = 2, .longest = 7});
  const RecordingRows found = rows();
  RowReader row(found.waits);
  EXPECT_EQ(row.text(), "shop");
  EXPECT_EQ(row.u32(), 1000u);
  EXPECT_EQ(row.id(), found.stacks.rows.front().id);
  EXPECT_EQ(row.text(), "web");
  EXPECT_EQ(row.text(), "");
  EXPECT_EQ(row.text(), "lock futex");
  EXPECT_EQ(row.text(), "sleeping");
  EXPECT_EQ(row.text(), "");
  EXPECT_TRUE(row.boolean());
  EXPECT_EQ(row.u32(), 0u);
  EXPECT_EQ(row.u32(), 0u);
  EXPECT_EQ(row.u64(), 77u);
  for (const std::uint64_t sum : {3, 15, 6, 0, 9}) EXPECT_EQ(row.u64(), sum);
  EXPECT_TRUE(row.at_end());
  EXPECT_EQ(found.stacks.rows.size(), 1u);
}

TEST_F(WaitRowsTest, DifferentKeysAreRowsOfTheirOwn) {
  wait(0, 0, {.count = 1});
  wait(0, 1, {.count = 1});
  wait(2, 0, {.count = 1});
  wait(0, 0, {.count = 1}).cgroup = 1;
  wait(0, 0, {.count = 1}).cut = offcpu::known_cut("end");
  wait(0, 0, {.count = 1}).woken = false;
  wait(0, 0, {.count = 1}).time = 1010;
  wait(0, 0, {.count = 1}).state = TaskState(TaskState::uninterruptible);
  wait(0, 0, {.count = 1}).blocked_bucket = 9;
  wait(0, 0, {.count = 1}).run_queue_bucket = 9;
  wait(0, 0, {.count = 1}).kinds = 0;
  RecordingRows found = rows();
  std::size_t count = 0;
  for (RowReader row(found.waits); !row.at_end(); ++count) {
    (void)row.text(), (void)row.u32(), (void)row.id();
    for (int texts = 0; texts < 5; ++texts) (void)row.text();
    (void)row.boolean(), (void)row.u32(), (void)row.u32();
    for (int numbers = 0; numbers < 6; ++numbers) (void)row.u64();
  }
  EXPECT_EQ(count, 11u);
}

TEST(WordsOfKinds, ComeBack) {
  const std::uint64_t kinds = filter::wait_page_fault | filter::wait_io;
  EXPECT_EQ(words_of_kinds(kinds), "page_fault io");
  EXPECT_EQ(kinds_of_words("page_fault io"), kinds);
  EXPECT_EQ(words_of_kinds(0), "");
  EXPECT_EQ(kinds_of_words(""), 0u);
  EXPECT_EQ(kinds_of_words("of_a_later_version  io"), std::uint64_t{filter::wait_io});
}

// The answer of the engine for a row with two intervals of 10 ns each.
std::string sum_row(const Hash128& stack, std::string_view state, std::string_view cut, const Hash128& intervals) {
  std::string bytes;
  RowWriter row(bytes);
  row.id(stack);
  for (const std::string_view text :
       {std::string_view("web"), std::string_view("/shop"), std::string_view("futex"), state, cut})
    row.text(text);
  row.boolean(true);
  row.u32(static_cast<std::uint32_t>(histogram_bucket(8)));
  row.u32(static_cast<std::uint32_t>(histogram_bucket(2)));
  row.id(intervals);
  row.id({.low = 16});
  row.id({.low = 4});
  row.id({});
  row.u64(10);
  return bytes;
}

TEST_F(WaitRowsTest, ComeBackFromAStore) {
  wait(0, 0, {.count = 1});
  const RecordingRows stored = rows();
  test::FakeEngine engine;
  const Hash128 stack = stored.stacks.rows.front().id;
  engine.answers = {
      {"FROM functions", stored.functions.bytes},
      {"SELECT id, frames FROM stacks", stored.stacks.bytes},
      {"FROM waits", sum_row(stack, "sleeping", "", {.low = 2}) + sum_row(stack, "odd", "odd", {.low = 2})}};
  analysis::FrameTable frames;
  const analysis::FrameStyle style{.detail = analysis::FrameDetail::function};
  const offcpu::SummedWaits found = read_waits(engine, {}, frames, style);
  ASSERT_EQ(found.sums.size(), 2u);
  EXPECT_THAT(found.threads, ElementsAre("web"));
  EXPECT_THAT(found.cgroups, ElementsAre("/shop"));
  ASSERT_EQ(found.stacks.size(), 1u);
  ASSERT_EQ(found.stacks.front().size(), 2u);
  EXPECT_EQ(frames.text(found.stacks.front()[0]), "main");
  EXPECT_EQ(frames.origin(found.stacks.front()[1]).kind, FrameKind::kernel);
  const SummedWait& first = found.sums.front();
  EXPECT_EQ(first.state, TaskState(TaskState::sleeping));
  EXPECT_EQ(first.kinds, std::uint64_t{filter::wait_futex});
  EXPECT_EQ(first.cut, "");
  EXPECT_TRUE(first.woken);
  EXPECT_EQ(first.sums.count, 2u);
  EXPECT_EQ(first.sums.total(), 20u);
  EXPECT_EQ(first.sums.longest, 10u);
  // Words of later versions.
  EXPECT_EQ(found.sums.back().state, TaskState(TaskState::not_known));
  EXPECT_EQ(found.sums.back().cut, "");
}

TEST_F(WaitRowsTest, WhatAStoreLacksIsAnError) {
  wait(0, 0, {.count = 1});
  const RecordingRows stored = rows();
  const Hash128 stack = stored.stacks.rows.front().id;
  const auto read = [&](const std::string& sums, const std::string& stacks) {
    test::FakeEngine engine;
    engine.answers = {
        {"FROM functions", stored.functions.bytes}, {"SELECT id, frames FROM stacks", stacks}, {"FROM waits", sums}};
    analysis::FrameTable frames;
    (void)read_waits(engine, {}, frames, {});
  };
  const std::string good = sum_row(stack, "sleeping", "", {.low = 2});
  EXPECT_THROW(read(good, ""), InputError);
  EXPECT_THROW(read(sum_row(stack, "sleeping", "", {.low = 0, .high = 1}), stored.stacks.bytes), InputError);
  for (std::size_t size = 1; size < good.size(); ++size)
    EXPECT_THROW(read(good.substr(0, size), stored.stacks.bytes), InputError) << size;
}

}  // namespace
}  // namespace perfsift::store
