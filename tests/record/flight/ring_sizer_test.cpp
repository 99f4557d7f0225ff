#include "record/flight/ring_sizer.h"

#include <gtest/gtest.h>

namespace perfsift::record {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
const RingSizer::Time first_look{};
constexpr std::size_t mib = std::size_t{1} << 20;

std::vector<RingFill> two_rings(std::uint64_t first, std::uint64_t second, std::size_t capacity = mib) {
  return {{.ring = 0, .capacity = capacity, .written = first}, {.ring = 3, .capacity = capacity, .written = second}};
}

TEST(RingSizer, AsksForThePowerOfTwoThatHoldsTheWindowOfTheFullestRing) {
  RingSizer sizer(seconds(10), 256 * mib);
  EXPECT_EQ(sizer.look(first_look, two_rings(0, 0)), std::nullopt);
  // 3 MiB in a second: 30 MiB, with a reserve for rates that vary less than 64 MiB
  EXPECT_EQ(sizer.look(first_look + seconds(1), two_rings(mib, 3 * mib)), 64 * mib);
  ASSERT_TRUE(sizer.held());
  EXPECT_EQ(std::chrono::duration_cast<milliseconds>(*sizer.held()), milliseconds(333));
  EXPECT_FALSE(sizer.holds_window());
}

TEST(RingSizer, AllRingsTogetherStayWithinTheLimit) {
  RingSizer sizer(seconds(10), 20 * mib);
  sizer.look(first_look, two_rings(0, 0));
  EXPECT_EQ(sizer.look(first_look + seconds(1), two_rings(mib, 3 * mib)), 8 * mib);
}

TEST(RingSizer, ASizeThatWasGivenStays) {
  RingSizer sizer(seconds(10), 0);
  sizer.look(first_look, two_rings(0, 0));
  EXPECT_EQ(sizer.look(first_look + seconds(1), two_rings(mib, 3 * mib)), std::nullopt);
  EXPECT_FALSE(sizer.holds_window());
}

TEST(RingSizer, RingsThatAreLargeEnoughStay) {
  RingSizer sizer(seconds(10), 256 * mib);
  sizer.look(first_look, two_rings(0, 0));
  EXPECT_EQ(sizer.look(first_look + seconds(1), two_rings(mib / 20, 0)), std::nullopt);
  EXPECT_TRUE(sizer.holds_window());
}

TEST(RingSizer, LooksAtMostTwiceASecond) {
  RingSizer sizer(seconds(10), 256 * mib);
  sizer.look(first_look, two_rings(0, 0));
  EXPECT_EQ(sizer.look(first_look + milliseconds(499), two_rings(mib, 3 * mib)), std::nullopt);
  EXPECT_NE(sizer.look(first_look + milliseconds(500), two_rings(mib, 3 * mib)), std::nullopt);
}

TEST(RingSizer, CountsAnewAfterAChangeOfSize) {
  RingSizer sizer(seconds(10), 256 * mib);
  sizer.look(first_look, two_rings(0, 0));
  sizer.look(first_look + seconds(1), two_rings(mib, 3 * mib));
  sizer.forget();
  EXPECT_TRUE(sizer.holds_window());  // not known to be too small
  EXPECT_EQ(sizer.look(first_look + seconds(2), two_rings(0, 0, 64 * mib)), std::nullopt);
  EXPECT_EQ(sizer.look(first_look + seconds(3), two_rings(mib, 3 * mib, 64 * mib)), std::nullopt);
  EXPECT_TRUE(sizer.holds_window());
}

}  // namespace
}  // namespace perfsift::record
