#include "analysis/offcpu/summed_waits_feed.h"

#include <vector>

#include <gmock/gmock.h>

#include "analysis/offcpu/interval_parts.h"
#include "filter/wait_kind.h"

namespace perfsift::offcpu {
namespace {

using testing::ElementsAre;

class FeedTest : public testing::Test, public SchedulerListener {
 protected:
  FeedTest() {
    const auto main = frames.intern("main", {.kind = analysis::FrameKind::user});
    const auto entry = frames.intern("entry", {.kind = analysis::FrameKind::kernel});
    const auto wait = frames.intern("futex_wait", {.kind = analysis::FrameKind::kernel});
    waits.frames = &frames;
    waits.stacks = {{main, entry, wait}, {}};
    waits.threads = {"web", ""};
    waits.cgroups = {"", "/shop"};
  }
  void interval(const Interval& interval) override {
    intervals.push_back(interval);
    sums.add(interval);
  }
  SummedWait& wait(const IntervalSums& of) {
    SummedWait& added = waits.sums.emplace_back();
    added.state = TaskState(TaskState::sleeping);
    added.sums = of;
    return added;
  }

  analysis::FrameTable frames;
  SummedWaits waits;
  Scheduler scheduler{*this};
  StackTable stacks;
  NoSymbols no_symbols;
  WaitKinds kinds{no_symbols};
  SummedWaitsNames names{waits, scheduler, stacks};
  std::vector<Interval> intervals;
  IntervalSums sums;
};

TEST_F(FeedTest, PartsHaveTheSumsAndTheLongest) {
  wait({.count = 10, .blocked = 1003, .run_queue = 58, .unknown = 7, .longest = 120});
  feed(waits, 1'000, scheduler, stacks, kinds, *this);
  EXPECT_EQ(sums.count, 10u);
  EXPECT_EQ(sums.blocked, 1003u);
  EXPECT_EQ(sums.run_queue, 58u);
  EXPECT_EQ(sums.unknown, 7u);
  EXPECT_EQ(sums.longest, 120u);
  EXPECT_LE(intervals.size(), 5u);
  EXPECT_EQ(scheduler.now() - scheduler.start(), 1'000u);
}

TEST_F(FeedTest, TheLongestOfThreadsThatWereReadyToRunWasInARunQueue) {
  wait({.count = 4, .run_queue = 40, .longest = 12}).state = TaskState(TaskState::preempted);
  feed(waits, 0, scheduler, stacks, kinds, *this);
  EXPECT_EQ(intervals.front().run_queue, 12u);
  EXPECT_EQ(sums.run_queue, 40u);
}

// Two intervals of 15 and 14 ns, of which 5 and 3 ns are unknown.
TEST_F(FeedTest, NoIntervalOfWhichATimeIsUnknownIsWhole) {
  wait({.count = 2, .blocked = 21, .unknown = 8, .longest = 15}).cut = known_cut("lost");
  feed(waits, 0, scheduler, stacks, kinds, *this);
  EXPECT_EQ(sums.count, 2u);
  EXPECT_EQ(sums.total(), 29u);
  EXPECT_EQ(sums.longest, 15u);
  for (const Interval& interval : intervals) EXPECT_FALSE(interval.is_whole());
}

TEST_F(FeedTest, NumbersThatContradictEachOtherStayWithinTheSums) {
  wait({.count = 3, .blocked = 5, .run_queue = 1, .longest = 100});
  wait({.count = 1, .blocked = 5, .longest = 1});
  wait({.count = 0, .blocked = 5});
  wait({.count = ~std::uint64_t{0}, .blocked = 7, .longest = 1});
  feed(waits, 0, scheduler, stacks, kinds, *this);
  EXPECT_EQ(sums.blocked, 17u);
  EXPECT_EQ(sums.run_queue, 1u);
  EXPECT_EQ(sums.count, 3u);  // modulo 2^64
}

TEST_F(FeedTest, StacksHaveTheKernelsPartTheThreadAndTheKindOfWait) {
  wait({.count = 1, .blocked = 5, .longest = 5}).kinds = filter::wait_futex | filter::wait_lock;
  feed(waits, 0, scheduler, stacks, kinds, *this);
  ASSERT_EQ(intervals.size(), 1u);
  const StackId stack = intervals.front().stack;
  EXPECT_EQ(names.leaf_first(stack), "futex_wait;entry;main");
  EXPECT_EQ(names.stack(stack).kernel.size(), 2u);
  EXPECT_EQ(names.recorded_comm_of_stack(stack), "web");
  EXPECT_EQ(names.thread(intervals.front().thread), "web");
  EXPECT_EQ(kinds.of(intervals.front()), std::uint64_t{filter::wait_futex | filter::wait_lock});
}

TEST_F(FeedTest, KindsOfStatesStayApartFromThoseOfTheStack) {
  wait({.count = 1, .blocked = 5, .longest = 5}).kinds = filter::wait_futex;
  SummedWait& left = wait({.count = 1, .run_queue = 5, .longest = 5});
  left.state = TaskState(TaskState::running);
  left.kinds = filter::wait_yield;
  wait({.count = 1, .blocked = 5, .longest = 5}).kinds = 0;
  feed(waits, 0, scheduler, stacks, kinds, *this);
  std::vector<std::uint64_t> found;
  for (const Interval& interval : intervals) found.push_back(kinds.of(interval));
  EXPECT_THAT(found, ElementsAre(filter::wait_futex, filter::wait_yield, 0));
}

TEST_F(FeedTest, WhatIsNotKnownHasNoName) {
  SummedWait& added = wait({.count = 1, .blocked = 5, .longest = 5});
  added.stack = 1;
  added.thread = 1;
  added.cut = known_cut("both");
  feed(waits, 0, scheduler, stacks, kinds, *this);
  const Interval& interval = intervals.front();
  EXPECT_EQ(interval.stack, no_stack);
  EXPECT_EQ(names.comm(interval.thread), "[unknown]");
  EXPECT_TRUE(interval.began_before && interval.goes_on);
  EXPECT_EQ(interval.cgroup, 0u);
  EXPECT_EQ(names.cgroup(2), "/shop");
}

}  // namespace
}  // namespace perfsift::offcpu
