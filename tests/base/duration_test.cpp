#include "base/duration.h"

#include <gtest/gtest.h>

namespace perfsift {
namespace {

constexpr TimeUnit units[] = {{"", 1'000}, {"ns", 1}, {"us", 1'000}, {"s", 1'000'000'000}, {"m", 60'000'000'000}};

TEST(Duration, IsANumberAndAUnitOfTheTable) {
  EXPECT_EQ(parse_duration("0s", units), 0u);
  EXPECT_EQ(parse_duration("250us", units), 250'000u);
  EXPECT_EQ(parse_duration("1.5s", units), 1'500'000'000u);
  EXPECT_EQ(parse_duration("2m", units), 120'000'000'000u);
  EXPECT_EQ(parse_duration("7", units), 7'000u) << "a number alone";
}

TEST(Duration, IsRoundedToNanoseconds) {
  EXPECT_EQ(parse_duration("0.0015us", units), 2u);
  EXPECT_EQ(parse_duration("0.29us", units), 290u);  // 0.29 * 1000 is a little less as a double
}

TEST(Duration, IsNothingElse) {
  for (const char* wrong :
       {"", "s", "us", "1 s", "1sec", "1ms", "-1s", "+1s", "nan", "infs", "1e18ns", "1e99s", "0x1s"})
    EXPECT_EQ(parse_duration(wrong, units), std::nullopt) << wrong;
  EXPECT_EQ(parse_duration("1", {}), std::nullopt) << "no units";
}

}  // namespace
}  // namespace perfsift
