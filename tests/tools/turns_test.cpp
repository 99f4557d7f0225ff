#include "tools/profile/turns.h"

#include <atomic>
#include <vector>

#include <gmock/gmock.h>

#include "base/share_work.h"

namespace perfsift::tools {
namespace {

TEST(Turns, AreInTheOrderOfTheTasks) {
  constexpr std::size_t count = 200;
  Turns turns;
  std::vector<std::size_t> order;
  std::atomic<int> working = 0;
  for_each_task(4, count, [&](std::size_t task) {
    const bool alone = task % 5 == 4;
    ASSERT_TRUE(alone ? turns.wait_for_all_before(task) : turns.wait_for(task));
    order.push_back(task);  // no lock is needed: only the task with the turn is here
    EXPECT_TRUE(!alone || working == 0);
    ++working;
    if (!alone) turns.pass();
    --working;
    if (alone) turns.pass();
    turns.finish();
  });
  ASSERT_EQ(order.size(), count);
  for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(order[i], i);
}

// Without fail(), the other threads would wait for ever.
TEST(Turns, AFailedTaskEndsAllWaiting) {
  Turns turns;
  std::atomic<int> begun = 0;
  EXPECT_THROW(for_each_task(3, 10,
                             [&](std::size_t task) {
                               ++begun;
                               if (task == 0) {
                                 while (begun < 3) {
                                 }
                                 turns.fail();
                                 throw task;
                               }
                               EXPECT_FALSE(task % 2 == 0 ? turns.wait_for(task) : turns.wait_for_all_before(task));
                             }),
               std::size_t);
}

}  // namespace
}  // namespace perfsift::tools
