#include "base/histogram_bucket.h"

#include <cstdint>

#include <gtest/gtest.h>

namespace perfsift {
namespace {

TEST(HistogramBucket, SmallValuesHaveABucketEach) {
  for (std::uint64_t value = 0; value < 16; ++value) EXPECT_EQ(histogram_bucket(value), value);
}

// Computed by hand: 8 buckets for 16 to 31 begin with number 16, 8 for 1024 to 2047 with 64.
TEST(HistogramBucket, APowerOfTwoHasEight) {
  EXPECT_EQ(histogram_bucket(16), 16u);
  EXPECT_EQ(histogram_bucket(17), 16u);
  EXPECT_EQ(histogram_bucket(18), 17u);
  EXPECT_EQ(histogram_bucket(31), 23u);
  EXPECT_EQ(histogram_bucket(1024), 64u);
  EXPECT_EQ(histogram_bucket(1024 + 127), 64u);
  EXPECT_EQ(histogram_bucket(1024 + 128), 65u);
  EXPECT_EQ(histogram_bucket(2047), 71u);
  EXPECT_EQ(histogram_bucket(~std::uint64_t{0}), 495u);
}

}  // namespace
}  // namespace perfsift
