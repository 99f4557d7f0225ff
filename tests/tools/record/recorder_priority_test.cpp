#include "tools/record/recorder_priority.h"

#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <sched.h>

#include "base/error.h"

namespace perfsift::tools {
namespace {

int priority_here() {
  sched_param now{};
  sched_getparam(0, &now);
  return sched_getscheduler(0) == SCHED_FIFO ? now.sched_priority : 0;
}

TEST(RecorderPriority, IsThatOfTheThreadAndOfThoseThatItStarts) {
  std::string refused;
  std::thread([&] {
    try {
      run_in_real_time(3);
    } catch (const Error& error) {
      refused = error.what();
      return;
    }
    EXPECT_EQ(priority_here(), 3);
    std::thread([] { EXPECT_EQ(priority_here(), 3); }).join();
  }).join();
  EXPECT_EQ(priority_here(), 0);
  if (!refused.empty()) {
    EXPECT_NE(refused.find("--realtime 3: Operation not permitted: run as root"), std::string::npos);
  }
}

TEST(RecorderPriority, ImpossiblePriorityIsRefused) { EXPECT_THROW(run_in_real_time(100), Error); }

}  // namespace
}  // namespace perfsift::tools
