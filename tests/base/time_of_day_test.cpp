#include "base/time_of_day.h"

#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

namespace perfsift {
namespace {

using Clock = std::chrono::system_clock;

// Seconds since 1970, as `date -d` prints them.
std::time_t next(const char* zone, std::string_view text, std::time_t now) {
  setenv("TZ", zone, 1);
  tzset();
  const auto found = next_time_of_day(text, Clock::from_time_t(now));
  return found ? Clock::to_time_t(*found) : -1;
}

constexpr std::time_t new_year = 1767225600;  // 2026-01-01 00:00:00 UTC

TEST(TimeOfDay, IsTheFirstAfterNow) {
  EXPECT_EQ(next("UTC0", "03:30", new_year), new_year + 12600);
  EXPECT_EQ(next("UTC0", "03:30:05", new_year), new_year + 12605);
  EXPECT_EQ(next("UTC0", "03:30", new_year + 12600), new_year + 86400 + 12600);
  EXPECT_EQ(next("UTC0", "00:00", new_year), new_year + 86400);
}

TEST(TimeOfDay, IsThatOfTheTimeZone) { EXPECT_EQ(next("XXX-2", "03:30", new_year), new_year + 12600 - 7200); }

// On 2026-03-29 clocks go from 02:00 to 03:00: `TZ=CET-1CEST,M3.5.0,M10.5.0/3 date -d "2026-03-29 04:00" +%s`.
TEST(TimeOfDay, KnowsShorterDays) {
  EXPECT_EQ(next("CET-1CEST,M3.5.0,M10.5.0/3", "04:00", 1774735200), 1774749600);  // from 2026-03-28 23:00
}

TEST(TimeOfDay, OtherTextsAreRefused) {
  for (const char* const text :
       {"", "3:30", "03", "03:", "24:00", "03:60", "03:30:60", "03:30:", "03:30 ", "-1:00", "03-30", "03:30:00:00"})
    EXPECT_EQ(next("UTC0", text, new_year), -1) << text;
}

}  // namespace
}  // namespace perfsift
