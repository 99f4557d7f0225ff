#include "record/wake_ups.h"

#include <chrono>

#include <gtest/gtest.h>
#include <unistd.h>

#include "record/rings/ring.h"
#include "tests/record/live.h"

namespace perfsift::record {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

struct Pipe {
  Pipe() {
    int ends[2] = {-1, -1};
    EXPECT_EQ(pipe(ends), 0);
    out = FileDescriptor(ends[0]);
    in = FileDescriptor(ends[1]);
  }
  FileDescriptor out, in;
};

std::chrono::nanoseconds time_of_wait(WakeUps& wake_ups) {
  const auto begin = Clock::now();
  wake_ups.wait(50ms);
  return Clock::now() - begin;
}

TEST(WakeUps, ADescriptorThatHangsUpEndsOneWaitOnly) {
  WakeUps wake_ups;
  Pipe pipe;
  wake_ups.add_other(pipe.out.get());
  pipe.in = FileDescriptor();
  EXPECT_LT(time_of_wait(wake_ups), 40ms);
  EXPECT_GE(time_of_wait(wake_ups), 50ms);
}

TEST(WakeUps, AReadableDescriptorEndsEachWait) {
  WakeUps wake_ups;
  const Pipe pipe;
  wake_ups.add_other(pipe.out.get());
  ASSERT_EQ(write(pipe.in.get(), "x", 1), 1);
  EXPECT_LT(time_of_wait(wake_ups), 40ms);
  EXPECT_LT(time_of_wait(wake_ups), 40ms);
}

TEST(WakeUps, OnlyCountersThatHangUpAreNoLongerLive) {
  SKIP_WITHOUT_EVENTS({.tid = 0});
  test::Child child([] {});
  Counter::Refused refused;
  auto counter = Counter::open(test::page_faults().attr, {.tid = child.pid()}, refused);
  ASSERT_TRUE(counter);
  // perf_poll() takes a counter without a ring for one that has ended.
  const auto ring = Ring::map(*counter, 1, Ring::Kind::ordinary);
  ASSERT_TRUE(ring);
  WakeUps wake_ups;
  wake_ups.add(*counter);
  Pipe pipe;
  wake_ups.add_other(pipe.out.get());
  pipe.in = FileDescriptor();
  wake_ups.wait(50ms);
  EXPECT_EQ(wake_ups.live(), 1u);

  child.release();
  child.wait();
  wake_ups.wait(5000ms);
  EXPECT_EQ(wake_ups.live(), 0u);
  EXPECT_GE(time_of_wait(wake_ups), 50ms);
}

}  // namespace
}  // namespace perfsift::record
