// Work on another thread.

#include "tools/view/work_queue.h"

#include <future>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace perfsift::tools {
namespace {

TEST(WorkQueue, WorkIsDoneInOrder) {
  std::vector<int> order;
  std::promise<void> all;
  WorkQueue queue;
  for (int i = 0; i < 5; ++i) queue.add([&order, i] { order.push_back(i); });
  queue.add([&all] { all.set_value(); });
  all.get_future().wait();
  EXPECT_THAT(order, ::testing::ElementsAre(0, 1, 2, 3, 4));
}

TEST(WorkQueue, EndsWithoutWork) { const WorkQueue queue; }

}  // namespace
}  // namespace perfsift::tools
