#include "record/flight/snapshot_limit.h"

#include <gtest/gtest.h>

namespace perfsift::record {
namespace {

using std::chrono::seconds;
const SnapshotLimit::Time limit_begin{};

TEST(SnapshotLimit, AdmitsSoManyInAnyMinuteAndCountsTheOthers) {
  SnapshotLimit limit(2);
  EXPECT_TRUE(limit.admits(limit_begin));
  EXPECT_TRUE(limit.admits(limit_begin + seconds(30)));
  EXPECT_FALSE(limit.admits(limit_begin + seconds(31)));
  EXPECT_FALSE(limit.admits(limit_begin + seconds(59)));
  EXPECT_TRUE(limit.admits(limit_begin + seconds(60)));
  EXPECT_FALSE(limit.admits(limit_begin + seconds(89)));
  EXPECT_TRUE(limit.admits(limit_begin + seconds(90)));
  EXPECT_EQ(limit.refused(), 3);
}

TEST(SnapshotLimit, RefusedOnesDoNotCountAgainstTheLimit) {
  SnapshotLimit limit(1);
  EXPECT_TRUE(limit.admits(limit_begin));
  for (int second = 1; second < 60; ++second) EXPECT_FALSE(limit.admits(limit_begin + seconds(second)));
  EXPECT_TRUE(limit.admits(limit_begin + seconds(60)));
}

}  // namespace
}  // namespace perfsift::record
