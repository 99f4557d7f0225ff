#include "base/number_in.h"

#include <cstdint>
#include <optional>
#include <string_view>

#include <gtest/gtest.h>

namespace perfsift {
namespace {

TEST(TakeNumber, LeavesWhatStandsBehind) {
  std::string_view text = "12:34";
  EXPECT_EQ(take_number<unsigned>(text), 12U);
  EXPECT_EQ(text, ":34");
}

TEST(TakeNumber, LeavesTheTextAsItWasWithoutANumber) {
  for (const std::string_view given : {"", " 1", "+1", "-1", "x", "256"}) {
    std::string_view text = given;
    EXPECT_EQ(take_number<std::uint8_t>(text), std::nullopt) << given;
    EXPECT_EQ(text, given);
  }
}

TEST(TakeNumber, KnowsBases) {
  std::string_view hexadecimal = "fFg", octal = "778", prefixed = "0x1f";
  EXPECT_EQ(take_number<std::uint64_t>(hexadecimal, 16), 255U);
  EXPECT_EQ(hexadecimal, "g");
  EXPECT_EQ(take_number<std::uint64_t>(octal, 8), 63U);
  EXPECT_EQ(octal, "8");
  EXPECT_EQ(take_number<std::uint64_t>(prefixed, 16), 0U);
  EXPECT_EQ(prefixed, "x1f");
}

TEST(NumberIn, IsTheWholeText) {
  EXPECT_EQ(number_in<int>("-7"), -7);
  EXPECT_EQ(number_in<double>("2.5"), 2.5);
  EXPECT_EQ(number_in<std::uint64_t>("18446744073709551615"), UINT64_MAX);
  EXPECT_EQ(number_in<std::uint64_t>("18446744073709551616"), std::nullopt);
  for (const std::string_view text : {"", "7 ", " 7", "7x", "x", "0x7"}) {
    EXPECT_EQ(number_in<int>(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace perfsift
