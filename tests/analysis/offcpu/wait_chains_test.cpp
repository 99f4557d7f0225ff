#include "analysis/offcpu/wait_chains.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace perfsift::offcpu {
namespace {

using ::testing::ElementsAre;

class Waiting : public ::testing::Test {
 protected:
  Waiting() {
    for (std::uint32_t i = 0; i < threads.size(); ++i) threads[i].name = i + 1;
  }
  void wait(ThreadNumber thread, std::uint64_t start, std::uint64_t end, ThreadNumber waker) {
    chains.add({.thread = thread,
                .start = start,
                .end = end,
                .blocked = end - start,
                .waker = {.thread = waker},
                .woken = true},
               threads);
  }

  std::vector<ThreadClock> threads{10};
  WaitChains chains;
};

TEST_F(Waiting, AChainGoesOnWhereTheWakerWaitedMeanwhile) {
  wait(2, 10, 50, 3);
  wait(1, 20, 60, 2);
  const auto top = chains.top(10);
  ASSERT_EQ(top.size(), 1u);
  EXPECT_THAT(top[0].threads, ElementsAre(1, 2, 3));
  EXPECT_EQ(top[0].blocked, 40u);
  EXPECT_EQ(top[0].waits, 1u);
}

TEST_F(Waiting, WhatTheWakerWaitedForBeforeIsNoPartOfIt) {
  wait(2, 10, 20, 3);
  wait(1, 30, 60, 2);
  EXPECT_TRUE(chains.top(10).empty());
}

TEST_F(Waiting, ThreadsOfOneNameCountTogether) {
  threads[5].name = threads[1].name;
  wait(2, 10, 50, 3);
  wait(1, 20, 60, 2);
  wait(2, 70, 90, 3);
  wait(5, 80, 95, 2);
  const auto top = chains.top(10);
  ASSERT_EQ(top.size(), 1u);
  EXPECT_EQ(top[0].waits, 2u);
  EXPECT_EQ(top[0].blocked, 55u);
}

TEST_F(Waiting, TwoThatWakeEachOtherForeverHaveChainsThatEnd) {
  for (std::uint64_t time = 0; time < 1000; time += 10) {
    wait(1, time, time + 20, 2);
    wait(2, time + 10, time + 30, 1);
  }
  for (const auto& chain : chains.top(100)) EXPECT_LE(chain.threads.size(), 6u);
}

}  // namespace
}  // namespace perfsift::offcpu
