#include "base/share_work.h"

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

namespace perfsift {
namespace {

TEST(ShareWork, EachTaskIsTakenOnce) {
  std::vector<std::atomic<int>> taken(1000);
  share_work(4, taken.size(), [&](unsigned, Tasks& tasks) {
    while (const auto task = tasks.next()) ++taken[*task];
  });
  EXPECT_TRUE(std::ranges::all_of(taken, [](const auto& times) { return times == 1; }));
}

TEST(ShareWork, OneThreadIsTheCallers) {
  std::vector<std::size_t> order;
  share_work(1, 3, [&](unsigned worker, Tasks& tasks) {
    EXPECT_EQ(worker, 0U);
    while (const auto task = tasks.next()) order.push_back(*task);
  });
  EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2}));
}

TEST(ShareWork, WorkersAreThereEvenWithoutTasks) {
  std::atomic<unsigned> workers = 0;
  share_work(3, 0, [&](unsigned worker, Tasks& tasks) {
    workers += 1U << worker;
    EXPECT_EQ(tasks.next(), std::nullopt);
  });
  EXPECT_EQ(workers, 0b111U);
}

TEST(ShareWork, AfterAFailureNoTaskBeginsAndTheCallerLearnsOfIt) {
  std::vector<std::size_t> taken;
  const auto fail = [&] {
    share_work(1, 10, [&](unsigned, Tasks& tasks) {
      taken.push_back(*tasks.next());
      tasks.fail();
      if (tasks.next()) taken.push_back(0);
      throw std::runtime_error("a task failed");
    });
  };
  EXPECT_THROW(fail(), std::runtime_error);
  EXPECT_EQ(taken, (std::vector<std::size_t>{0}));
}

TEST(ShareWork, AFailureOfAnotherThreadEndsTheJob) {
  const auto fail = [] {
    share_work(2, std::size_t{1} << 62, [&](unsigned worker, Tasks& tasks) {
      while (tasks.next()) {
        if (worker == 1) throw std::runtime_error("worker 1");
      }
    });
  };
  EXPECT_THROW(fail(), std::runtime_error);
}

}  // namespace
}  // namespace perfsift
