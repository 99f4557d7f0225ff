#include "base/percent_encoding.h"

#include <string_view>

#include <gtest/gtest.h>

namespace perfsift {
namespace {

using namespace std::string_view_literals;

TEST(PercentEncoded, LeavesWhatNoAddressMeans) { EXPECT_EQ(percent_encoded("aZ09-_.~"), "aZ09-_.~"); }

TEST(PercentEncoded, KnowsAllBytes) {
  EXPECT_EQ(percent_encoded("a b&c=d%/\n\0\xff"sv), "a%20b%26c%3Dd%25%2F%0A%00%FF");
}

TEST(PercentEncoded, LeavesWhatTheCallerNames) { EXPECT_EQ(percent_encoded("a/b:c?", "/:"), "a/b:c%3F"); }

}  // namespace
}  // namespace perfsift
