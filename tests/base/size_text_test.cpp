#include "base/size_text.h"

#include <gtest/gtest.h>

namespace perfsift {
namespace {

TEST(SizeText, LeavesAUnitWhenMoreThanOneOfTheNextRemains) {
  EXPECT_EQ(size_text(4096), "4K");
  EXPECT_EQ(size_text(2 << 20), "2M");
  EXPECT_EQ(size_text(1 << 30), "1024M");
  EXPECT_EQ(size_text(1024), "1024B");
  EXPECT_EQ(size_text(0), "0B");
}

}  // namespace
}  // namespace perfsift
