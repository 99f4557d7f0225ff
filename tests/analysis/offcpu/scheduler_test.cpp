#include "analysis/offcpu/scheduler.h"

#include <random>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace perfsift::offcpu {
namespace {

constexpr TaskState sleeping(TaskState::sleeping);
constexpr TaskState preempted(TaskState::preempted);
constexpr TaskState dead(TaskState::dead);

class Scheduling : public ::testing::Test, public SchedulerListener {
 protected:
  void interval(const Interval& interval) override {
    intervals.push_back(interval);
    names.push_back(scheduler.threads()[interval.thread].name);
  }
  void slice(const Slice& slice) override { slices.push_back(slice); }
  void left(ThreadNumber, std::int32_t, std::uint64_t, const TimehistFigures& figures) override {
    timehist.push_back(figures);
  }

  // sched:sched_switch: `next` takes the CPU from `previous`.
  void switch_at(std::uint64_t time, std::int32_t previous, TaskState state, std::int32_t next, std::int32_t cpu = 0) {
    scheduler.switch_out({.time = time, .cpu = cpu, .pid = previous, .tid = previous, .state = state, .stack = 5});
    scheduler.switch_in({.time = time, .cpu = cpu, .pid = next, .tid = next});
  }
  void wake_at(std::uint64_t time, std::int32_t tid, std::int32_t waker, std::int32_t cpu = 0) {
    scheduler.wakeup({.time = time, .cpu = cpu, .tid = tid, .waker_tid = waker, .stack = 9});
  }
  const ThreadClock& thread(std::int32_t tid) const {
    for (auto number = scheduler.threads().size(); number-- > 0;) {
      if (scheduler.threads()[number].tid == tid) return scheduler.threads()[number];
    }
    ADD_FAILURE() << "no thread " << tid;
    return scheduler.threads().front();
  }
  std::int32_t tid(ThreadNumber number) const { return scheduler.threads()[number].tid; }
  void expect_times(std::int32_t of, std::uint64_t run, std::uint64_t queue, std::uint64_t blocked,
                    std::uint64_t unknown) const {
    const ThreadTimes& times = thread(of).times;
    EXPECT_EQ(times.run, run) << of;
    EXPECT_EQ(times.run_queue, queue) << of;
    EXPECT_EQ(times.blocked, blocked) << of;
    EXPECT_EQ(times.unknown, unknown) << of;
  }

  std::vector<Interval> intervals;
  std::vector<std::uint32_t> names;  // of the intervals' threads at the end of each
  std::vector<Slice> slices;
  std::vector<TimehistFigures> timehist;
  Scheduler scheduler{*this};
};

TEST_F(Scheduling, ASleepIsBlockedUntilTheWakeupAndQueuedAfterIt) {
  switch_at(100, 7, sleeping, 8);
  wake_at(160, 7, 8);
  switch_at(170, 8, sleeping, 7);
  ASSERT_EQ(intervals.size(), 2u);  // thread 8's before the recording, and thread 7's
  const Interval& interval = intervals.back();
  EXPECT_EQ(tid(interval.thread), 7);
  EXPECT_EQ(interval.start, 100u);
  EXPECT_EQ(interval.end, 170u);
  EXPECT_EQ(interval.blocked, 60u);
  EXPECT_EQ(interval.run_queue, 10u);
  EXPECT_EQ(interval.state, sleeping);
  EXPECT_EQ(interval.stack, 5u);
  EXPECT_EQ(tid(interval.waker.thread), 8);
  EXPECT_EQ(interval.waker.stack, 9u);
  EXPECT_EQ(tid(interval.successor), 8);
  EXPECT_TRUE(interval.is_whole());
  EXPECT_TRUE(interval.run_queue_is_known());
}

TEST_F(Scheduling, APreemptedThreadIsInTheRunQueueAllTheTime) {
  switch_at(100, 7, preempted, 8);
  switch_at(150, 8, sleeping, 7);
  EXPECT_EQ(intervals.back().run_queue, 50u);
  EXPECT_EQ(intervals.back().blocked, 0u);
  EXPECT_EQ(tid(intervals.back().successor), 8);
}

TEST_F(Scheduling, WithoutAWakeupTheTimeInTheRunQueueIsNotKnown) {
  switch_at(100, 7, sleeping, 8);
  switch_at(150, 8, sleeping, 7);
  EXPECT_EQ(intervals.back().blocked, 50u);
  EXPECT_FALSE(intervals.back().run_queue_is_known());
}

TEST_F(Scheduling, OnlyTheFirstWakeupCounts) {
  switch_at(100, 7, sleeping, 8);
  wake_at(120, 7, 8);
  wake_at(130, 7, 8);
  switch_at(150, 8, sleeping, 7);
  EXPECT_EQ(intervals.back().blocked, 20u);
}

TEST_F(Scheduling, AWakeupOfARunningThreadIsNone) {
  switch_at(100, 8, sleeping, 7);
  wake_at(110, 7, 8, 1);
  switch_at(120, 7, sleeping, 8);
  switch_at(150, 8, sleeping, 7);
  EXPECT_EQ(intervals.back().blocked, 30u);
  EXPECT_FALSE(intervals.back().woken);
}

TEST_F(Scheduling, WhoWasOnTheCpuAtTheStartHasRunSinceThen) {
  scheduler.advance(50);
  switch_at(100, 7, sleeping, 8);
  scheduler.finish();
  EXPECT_EQ(thread(7).times.run, 50u);
  EXPECT_EQ(slices.front().start, 50u);
}

TEST_F(Scheduling, BothEndsOfTheRecordingCutIntervals) {
  scheduler.advance(50);
  wake_at(70, 8, 7);
  switch_at(100, 7, sleeping, 8);
  scheduler.advance(140);
  scheduler.finish();
  ASSERT_EQ(intervals.size(), 2u);
  EXPECT_TRUE(intervals[0].began_before);
  EXPECT_EQ(intervals[0].blocked, 20u);
  EXPECT_EQ(intervals[0].run_queue, 30u);
  EXPECT_EQ(intervals[0].state.letter(), '?');
  EXPECT_TRUE(intervals[1].goes_on);
  EXPECT_EQ(intervals[1].blocked, 40u);
  expect_times(7, 50, 0, 40, 0);
  expect_times(8, 40, 30, 20, 0);
}

TEST_F(Scheduling, ASwitchThatContradictsWhatIsKnownMakesTheTimeBeforeItUnknown) {
  switch_at(100, 7, sleeping, 8);
  switch_at(150, 7, sleeping, 9);  // thread 7 must have come back in between, at an unknown time
  scheduler.advance(200);
  scheduler.finish();
  expect_times(7, 0, 0, 50, 50);
  expect_times(8, 0, 0, 0, 100);  // thread 8 left the CPU without a record
  EXPECT_EQ(scheduler.counts().contradictions, 1u);
}

TEST_F(Scheduling, AThreadThatWasWokenSleptUntilThenThoughItsReturnIsMissing) {
  switch_at(100, 7, sleeping, 8, 0);
  wake_at(160, 7, 9, 1);
  switch_at(190, 7, sleeping, 8, 0);  // thread 7 came back in between, at an unknown time
  EXPECT_EQ(intervals.back().blocked, 60u);
  EXPECT_EQ(intervals.back().run_queue, 0u);
  EXPECT_EQ(intervals.back().unknown, 30u);
  EXPECT_EQ(tid(intervals.back().waker.thread), 9);
  EXPECT_FALSE(intervals.back().is_whole());
  scheduler.finish();
  expect_times(7, 0, 0, 60, 30);
}

TEST_F(Scheduling, AnIntervalHasTheNameThatTheThreadHadBeforeItsReturnThatIsMissing) {
  scheduler.switch_out({.time = 100, .cpu = 0, .pid = 7, .tid = 7, .name = 1, .state = sleeping});
  wake_at(160, 7, 9, 1);
  scheduler.switch_out({.time = 190, .cpu = 0, .pid = 7, .tid = 7, .name = 2, .state = sleeping});
  EXPECT_EQ(names.back(), 1u);
  EXPECT_EQ(thread(7).name, 2u);
}

TEST_F(Scheduling, AGapIsNotCountedAgainByTheThreadThatLeftInIt) {
  switch_at(100, 7, sleeping, 8, 0);  // the next switch on CPU 0, from 8 to 10, is missing
  switch_at(120, 6, sleeping, 9, 1);
  switch_at(150, 9, sleeping, 8, 1);
  EXPECT_EQ(scheduler.counts().contradictions, 1u);
  switch_at(200, 10, sleeping, 11, 0);
  EXPECT_EQ(scheduler.counts().contradictions, 1u);
  switch_at(210, 11, sleeping, 10, 0);
  EXPECT_EQ(scheduler.counts().contradictions, 1u);
}

// Some switches are not recorded, but never two in a row on a CPU: each missing switch is a gap.
TEST_F(Scheduling, AsManyGapsAreCountedAsSwitchesAreMissing) {
  std::mt19937 random(5);
  const auto any = [&](std::size_t limit) { return static_cast<std::size_t>(random() % limit); };
  std::vector<std::int32_t> waiting = {20, 21, 22, 23, 24, 25, 26, 27, 28, 29};
  std::int32_t on[] = {10, 11, 12};
  bool told_last[] = {false, false, false};
  std::uint64_t missing = 0, time = 1000;
  const auto switch_on = [&](std::size_t cpu, bool told) {
    std::int32_t& next = waiting[any(waiting.size())];
    if (told) switch_at(time += 10, on[cpu], sleeping, next, static_cast<std::int32_t>(cpu));
    missing += told ? 0 : 1;
    told_last[cpu] = told;
    std::swap(on[cpu], next);
  };
  for (int i = 0; i < 5000; ++i) {
    const std::size_t cpu = any(3);
    switch_on(cpu, !told_last[cpu] || any(5) != 0);
  }
  for (std::size_t cpu = 0; cpu < 3; ++cpu) switch_on(cpu, true);
  scheduler.finish();
  EXPECT_GT(missing, 500u);
  EXPECT_EQ(scheduler.counts().contradictions, missing);
}

TEST_F(Scheduling, TimeInWhichRecordsWereLostIsUnknown) {
  switch_at(100, 7, sleeping, 8);
  scheduler.lost(120, 3);
  switch_at(150, 8, sleeping, 7);
  switch_at(180, 7, sleeping, 8);
  scheduler.finish();
  expect_times(7, 30, 0, 0, 50);
  expect_times(8, 0, 0, 30, 50);
  EXPECT_EQ(intervals[1].unknown, 50u);
  EXPECT_FALSE(intervals[1].is_whole());
}

TEST_F(Scheduling, ANewThreadIsQueuedFromItsWakeupOn) {
  scheduler.advance(10);
  scheduler.birth({.time = 100, .pid = 7, .tid = 9});
  scheduler.wakeup({.time = 104, .cpu = 0, .pid = 7, .tid = 9, .waker_tid = 7, .first = true});
  switch_at(150, 7, preempted, 9);
  switch_at(160, 9, dead, 7);
  scheduler.advance(500);
  scheduler.finish();
  EXPECT_EQ(thread(9).first, 100u);
  EXPECT_EQ(thread(9).pid, 9);
  expect_times(9, 10, 46, 4, 0);
  EXPECT_EQ(thread(9).observed(), 60u);
}

TEST_F(Scheduling, ATidThatIsUsedAgainIsAnotherThread) {
  switch_at(100, 7, dead, 8);
  scheduler.birth({.time = 150, .pid = 7, .tid = 7});
  scheduler.wakeup({.time = 150, .cpu = 0, .tid = 7, .waker_tid = 8, .first = true});
  switch_at(170, 8, sleeping, 7);
  scheduler.finish();
  std::vector<std::uint64_t> firsts;
  for (const ThreadClock& thread : scheduler.threads()) {
    if (thread.tid == 7) firsts.push_back(thread.first);
  }
  EXPECT_THAT(firsts, ::testing::ElementsAre(100, 150));
}

// When a thread executes a program, its leader leaves with the thread's number, by the SWITCH record only.
TEST_F(Scheduling, ASwitchRecordOfAThreadThatRunsOnAnotherCpuDoesNotEndIt) {
  scheduler.switch_in({.time = 100, .cpu = 0, .tid = 7});
  scheduler.switch_in({.time = 100, .cpu = 1, .tid = 8});
  scheduler.switch_out({.time = 110, .cpu = 0, .tid = 7, .state = TaskState(TaskState::zombie)});
  scheduler.switch_in({.time = 110, .cpu = 0, .tid = 9});
  scheduler.switch_out({.time = 111, .cpu = 0, .tid = 8, .source = Source::confirming});
  EXPECT_EQ(scheduler.counts().contradictions, 0u);
  EXPECT_EQ(thread(8).phase, ThreadClock::Phase::running);
  EXPECT_EQ(thread(9).phase, ThreadClock::Phase::running);
}

TEST_F(Scheduling, AnExecGivesAThreadTheNumberOfItsLeader) {
  switch_at(100, 7, sleeping, 8);  // thread 8 runs a new program
  scheduler.renumber({.time = 120, .old_tid = 8, .tid = 7});
  switch_at(150, 7, sleeping, 9);
  scheduler.finish();
  expect_times(7, 50, 0, 0, 0);
}

TEST_F(Scheduling, AMigrationIsCountedAndTheCpusAreTold) {
  switch_at(100, 7, sleeping, 8, 0);
  switch_at(150, 0, TaskState(TaskState::running), 7, 1);
  EXPECT_EQ(intervals.back().cpu_left, 0);
  EXPECT_EQ(intervals.back().cpu_entered, 1);
  EXPECT_EQ(thread(7).migrations, 1u);
}

TEST_F(Scheduling, TheIdleThreadOfEachCpuIsItsOwnAndHasNoIntervals) {
  switch_at(100, 7, sleeping, 0, 0);
  switch_at(110, 8, sleeping, 0, 1);
  switch_at(150, 0, TaskState(TaskState::running), 7, 0);
  EXPECT_EQ(slices.back().end - slices.back().start, 50u);
  for (const Interval& interval : intervals) EXPECT_NE(tid(interval.thread), 0);
}

TEST_F(Scheduling, ASourceThatConfirmsIsIgnoredWhereTheLeadingOneHasTold) {
  switch_at(100, 7, sleeping, 8);
  scheduler.switch_out({.time = 101, .cpu = 0, .tid = 7, .source = Source::confirming});
  scheduler.switch_in({.time = 102, .cpu = 0, .tid = 8, .source = Source::confirming});
  switch_at(150, 8, dead, 7);
  scheduler.switch_out({.time = 151, .cpu = 0, .tid = 8, .source = Source::confirming});
  scheduler.finish();
  expect_times(8, 50, 0, 0, 0);
  EXPECT_EQ(scheduler.counts().contradictions, 0u);
}

TEST_F(Scheduling, RunTimesTellOfASwitchThatWasNotRecorded) {
  scheduler.switch_out({.time = 100, .cpu = 0, .pid = 7, .tid = 7, .state = sleeping});
  scheduler.wakeup({.time = 150, .cpu = 0, .tid = 7});
  scheduler.is_running({.time = 200, .cpu = 1, .tid = 7}, 30);
  scheduler.switch_out({.time = 220, .cpu = 1, .pid = 7, .tid = 7, .state = sleeping});
  expect_times(7, 50, 20, 50, 0);
}

// timehist_update_runtime_stats() gives the same result for these events.
TEST_F(Scheduling, TimehistCountsWhatWasBeforeASwitchWhenTheThreadLeavesAgain) {
  switch_at(100, 7, sleeping, 8);
  wake_at(160, 7, 8);
  switch_at(170, 8, sleeping, 7);
  EXPECT_EQ(thread(7).timehist.wait, 0u);
  switch_at(200, 7, sleeping, 8);
  EXPECT_EQ(thread(7).timehist.wait, 70u);
  EXPECT_EQ(thread(7).timehist.delay, 10u);
  EXPECT_EQ(thread(7).timehist.run, 30u);
  EXPECT_EQ(timehist.front().run, 0u);  // its start on the CPU is unknown
}

TEST_F(Scheduling, WhatIsDeadCanBeForgotten) {
  switch_at(100, 7, dead, 8);
  scheduler.forget_dead();
  scheduler.birth({.time = 150, .pid = 9, .tid = 9});
  EXPECT_EQ(scheduler.threads().size(), 2u);
  scheduler.birth({.time = 160, .pid = 7, .tid = 7});
  EXPECT_EQ(thread(7).first, 160u);
}

// For all events in any order, three rules hold. The times of each thread add up to the time in which the thread was
// observed. Intervals and slices add up to these times. No intervals or slices overlap.
class HostileScheduling : public Scheduling, public ::testing::WithParamInterface<unsigned> {};

TEST_P(HostileScheduling, TotalsClose) {
  std::mt19937_64 random(GetParam());
  const auto any = [&](std::uint64_t limit) { return random() % limit; };
  const TaskState states[] = {sleeping,
                              preempted,
                              dead,
                              TaskState(0),
                              TaskState(TaskState::uninterruptible),
                              TaskState(static_cast<std::uint32_t>(any(~std::uint32_t{0})))};
  const auto some_tid = [&] {
    return any(50) == 0 ? static_cast<std::int32_t>(random()) : static_cast<std::int32_t>(any(12));
  };
  const auto some_cpu = [&] {
    return any(50) == 0 ? static_cast<std::int32_t>(random()) : static_cast<std::int32_t>(any(3));
  };
  std::uint64_t time = 1000;
  for (int i = 0; i < 20'000; ++i) {
    time += any(10);
    const std::uint64_t at = any(20) == 0 ? time - std::min(time, any(200)) : time;
    const std::int32_t tid = some_tid(), cpu = some_cpu();
    switch (any(12)) {
      case 0:
        scheduler.birth({.time = at, .pid = tid, .tid = tid});
        break;
      case 1:
        scheduler.exit(at, tid);
        break;
      case 2:
        scheduler.renumber({.time = at, .old_tid = tid, .tid = some_tid()});
        break;
      case 3:
        scheduler.is_running({.time = at, .cpu = cpu, .tid = tid}, any(100));
        break;
      case 4:
        if (any(100) == 0) scheduler.lost(at, 1);
        if (any(500) == 0) scheduler.forget_stacks();
        break;
      case 5:
      case 6:
      case 7:
        scheduler.wakeup({.time = at, .cpu = cpu, .tid = tid, .waker_tid = some_tid(), .first = any(20) == 0});
        break;
      default: {
        const auto source = any(5) == 0 ? Source::confirming : Source::leading;
        if (any(9) != 0) {
          scheduler.switch_out({.time = at, .cpu = cpu, .tid = tid, .state = states[any(6)], .source = source});
        }
        if (any(9) != 0) {
          scheduler.switch_in({.time = at, .cpu = cpu, .tid = some_tid(), .queued = any(3) * 20, .source = source});
        }
      }
    }
  }
  scheduler.finish();

  std::vector<ThreadTimes> sums(scheduler.threads().size());
  std::vector<std::uint64_t> ends(sums.size());
  const auto follow = [&](ThreadNumber thread, std::uint64_t start, std::uint64_t end) {
    EXPECT_LE(start, end);
    EXPECT_LE(scheduler.threads()[thread].first, start);
    ends[thread] += end - start;
  };
  for (const Interval& interval : intervals) {
    EXPECT_EQ(interval.blocked + interval.run_queue + interval.unknown, interval.length());
    follow(interval.thread, interval.start, interval.end);
    sums[interval.thread].blocked += interval.blocked;
    sums[interval.thread].run_queue += interval.run_queue;
  }
  for (const Slice& slice : slices) {
    follow(slice.thread, slice.start, slice.end);
    sums[slice.thread].run += slice.end - slice.start;
  }
  for (ThreadNumber number = 0; number < sums.size(); ++number) {
    const ThreadClock& thread = scheduler.threads()[number];
    EXPECT_EQ(thread.times.total(), thread.observed()) << "thread " << thread.tid;
    EXPECT_EQ(thread.times.run, sums[number].run);
    EXPECT_LE(ends[number], thread.observed());
    if (thread.tid == 0) continue;
    EXPECT_EQ(thread.times.run_queue, sums[number].run_queue);
    EXPECT_EQ(thread.times.blocked, sums[number].blocked);
  }
  EXPECT_GT(scheduler.counts().contradictions, 100u);
}

INSTANTIATE_TEST_SUITE_P(Seeds, HostileScheduling, ::testing::Range(0u, 20u));

}  // namespace
}  // namespace perfsift::offcpu
