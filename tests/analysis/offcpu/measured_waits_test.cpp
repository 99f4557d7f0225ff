#include <vector>

#include <gtest/gtest.h>

#include "analysis/offcpu/analysis.h"
#include "analysis/offcpu/measured_samples.h"
#include "analysis/offcpu/scheduler.h"

namespace perfsift::offcpu {
namespace {

class MeasuredWaitsTest : public ::testing::Test, public SchedulerListener {
 protected:
  void interval(const Interval& interval) override {
    intervals.push_back(interval);
    analysis.interval(interval);
    sums.add(interval);
  }
  static MeasuredWaits waits_of(std::int32_t tid, std::uint64_t count, std::uint64_t blocked, std::uint64_t run_queue) {
    MeasuredWaits waits;
    waits.time = waits.last = 1'000'000;
    waits.pid = waits.tid = tid;
    waits.thread_start = 5;
    waits.state = TaskState(TaskState::sleeping);
    waits.count = count;
    waits.blocked = blocked;
    waits.run_queue = run_queue;
    waits.woken = true;
    return waits;
  }

  Scheduler scheduler{*this};
  Analysis analysis{scheduler};
  std::vector<Interval> intervals;
  IntervalSums sums;
};

TEST_F(MeasuredWaitsTest, TheSumsOfTheIntervalsAreThoseThatWereMeasured) {
  MeasuredWaits waits = waits_of(7, 10, 1003, 58);
  waits.longest = 120;
  waits.longest_run_queue = 9;
  scheduler.measured(waits);
  EXPECT_EQ(sums.count, 10u);
  EXPECT_EQ(sums.blocked, 1003u);
  EXPECT_EQ(sums.run_queue, 58u);
  EXPECT_EQ(sums.longest, 120u);
  EXPECT_EQ(intervals.front().count, 1u);  // the longest
  EXPECT_EQ(intervals.front().blocked, 111u);
  for (const Interval& interval : intervals) EXPECT_TRUE(interval.summed);
  EXPECT_EQ(analysis.off_cpu_of(0)->count(), 10u);
  EXPECT_EQ(analysis.off_cpu_of(0)->sum(), 1061u);
  EXPECT_EQ(analysis.blocked().sum(), 1003u);
  EXPECT_EQ(analysis.run_queue().max(), 9u);
}

TEST_F(MeasuredWaitsTest, ContradictingNumbersStayWithinTheSums) {
  MeasuredWaits waits = waits_of(7, 3, 10, 5);
  waits.longest = 1'000'000;
  waits.longest_run_queue = 900'000;
  scheduler.measured(waits);
  EXPECT_EQ(sums.count, 3u);
  EXPECT_EQ(sums.blocked, 10u);
  EXPECT_EQ(sums.run_queue, 5u);
  scheduler.measured(waits_of(-1, 3, 10, 5));  // no such thread
  scheduler.measured(waits_of(0, 3, 10, 5));   // idle
  EXPECT_EQ(sums.count, 3u);
}

TEST_F(MeasuredWaitsTest, ThreadsWithTheSameIdAreApart) {
  MeasuredWaits first = waits_of(7, 2, 100, 0), second = waits_of(7, 4, 100, 0);
  second.thread_start = 6;
  scheduler.measured(first);
  scheduler.measured(second);
  scheduler.measured(first);
  ASSERT_EQ(scheduler.threads().size(), 2u);
  EXPECT_EQ(scheduler.threads()[0].switches, 4u);
  EXPECT_EQ(scheduler.threads()[1].switches, 4u);
}

TEST_F(MeasuredWaitsTest, AWakerIsTheThreadThatIsMeasuredLater) {
  MeasuredWaits wait = waits_of(7, 1, 100, 10);
  wait.longest = 110, wait.longest_run_queue = 10;
  wait.single = true;
  wait.waker_pid = wait.waker_tid = 9;
  wait.waker_cpu = 1;
  scheduler.measured(wait);
  scheduler.measured(waits_of(9, 2, 50, 0));
  EXPECT_FALSE(intervals.front().summed);
  ASSERT_EQ(scheduler.threads().size(), 2u);
  EXPECT_EQ(intervals.front().waker.thread, intervals.back().thread);
}

TEST_F(MeasuredWaitsTest, TheTimesOfAThreadAddUpToItsObservedTime) {
  MeasuredWaits waits = waits_of(7, 2, 100, 30);
  waits.ran = 20;
  waits.unknown = 5;
  scheduler.measured(waits);
  MeasuredWaits last = waits_of(7, 0, 0, 0);  // only time on the CPU
  last.ran = 40;
  scheduler.measured(last);
  scheduler.finish();
  EXPECT_EQ(scheduler.threads()[0].times.run, 60u);
  EXPECT_EQ(scheduler.threads()[0].times.unknown, 5u);
  EXPECT_EQ(scheduler.threads()[0].observed(), 195u);
  EXPECT_EQ(sums.count, 2u);
}

TEST_F(MeasuredWaitsTest, AThreadHasTheNameOfItsLastWait) {
  MeasuredWaits late = waits_of(7, 1, 100, 0), early = waits_of(7, 1, 100, 0);
  late.name = 3;
  early.name = 2;
  early.last = 500'000;
  scheduler.measured(late);
  scheduler.measured(early);
  EXPECT_EQ(scheduler.threads()[0].name, 3u);
}

TEST(MeasuredLayout, RawDataThatAreTooShortGiveNothing) {
  reader::TracepointFormat format;
  format.system = "perfsift";
  format.name = "wait_waker";
  format.fields.push_back({.name = "woken_tid", .offset = 8, .size = 8});
  const auto layout = measured_layout(format, ByteOrder::native);
  ASSERT_TRUE(layout);
  const std::vector<std::byte> raw(16);
  EXPECT_EQ(layout->read(raw)->front(), 0u);
  EXPECT_FALSE(layout->read(Bytes(raw).first(15)));
  format.fields.clear();
  EXPECT_FALSE(measured_layout(format, ByteOrder::native)->read(raw));  // the field is not described
  format.name = "another";
  EXPECT_FALSE(measured_layout(format, ByteOrder::native));
}

}  // namespace
}  // namespace perfsift::offcpu
