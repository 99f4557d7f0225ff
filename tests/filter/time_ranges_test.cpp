#include "filter/time_ranges.h"

#include <limits>
#include <string>

#include <gtest/gtest.h>

namespace perfsift::filter {
namespace {

constexpr std::uint64_t end = std::numeric_limits<std::uint64_t>::max();

std::string text(const TimeRanges& ranges) {
  std::string all;
  for (const TimeRange& range : ranges) {
    all += std::to_string(range.from) + "-" + (range.until == end ? "end" : std::to_string(range.until)) + " ";
  }
  return all;
}

std::string times_of(const char* expression, RecordingTimes times = {}) {
  const Filter filter = Filter::parse(expression);
  return text(filter.times(FilterState(filter, times)));
}

TEST(TimeRanges, AreSets) {
  EXPECT_EQ(text(in_order({{30, 40}, {10, 20}, {21, 25}, {35, 37}, {9, 3}})), "10-25 30-40 ");
  EXPECT_EQ(text(in_order({{5, end}, {7, 9}})), "5-end ");
  EXPECT_EQ(text(in_both({{10, 20}, {30, 40}, {50, 60}}, {{15, 32}, {60, end}})), "15-20 30-32 60-60 ");
  EXPECT_EQ(text(in_any({{10, 20}}, {{15, 32}})), "10-32 ");
  EXPECT_EQ(text(in_none_of({{10, 20}, {30, end}})), "0-9 21-29 ");
  EXPECT_EQ(text(in_none_of({})), "0-end ");
  EXPECT_EQ(text(in_none_of(all_time())), "");
}

TEST(TimeRanges, HaveNothingInBothWhereOneIsEmpty) {
  EXPECT_EQ(text(in_both({}, {{10, 20}})), "");
  EXPECT_EQ(text(in_both({{10, 20}}, {})), "");
  EXPECT_EQ(text(in_both({{10, 20}}, {{30, 40}})), "");
  EXPECT_EQ(text(in_both({{30, 40}}, {{10, 20}})), "");
}

// Regression: each part of a split searched all windows of a filter. With this many windows that takes a minute.
TEST(TimeRanges, AreFoundAmongManyWithoutALookAtEachOfThem) {
  constexpr std::uint64_t count = 100'000;
  TimeRanges many;
  for (std::uint64_t i = 0; i < count; ++i) many.push_back({i * 10, i * 10 + 5});
  for (std::uint64_t i = 0; i < count; ++i) {
    ASSERT_EQ(text(in_both({{i * 10 + 4, i * 10 + 9}}, many)),
              std::to_string(i * 10 + 4) + "-" + std::to_string(i * 10 + 5) + " ");
  }
}

TEST(TimeRanges, KnowTheRangeOfATime) {
  const TimeRanges ranges{{10, 20}, {30, 30}};
  for (const std::uint64_t none : {0u, 9u, 21u, 29u, 31u}) EXPECT_EQ(range_around(ranges, none), nullptr);
  for (const std::uint64_t first : {10u, 15u, 20u}) EXPECT_EQ(range_around(ranges, first), &ranges[0]);
  EXPECT_EQ(range_around(ranges, 30), &ranges[1]);
}

TEST(TimesOfAFilter, AreThoseItMayKeepSamplesOf) {
  EXPECT_EQ(text(Filter().times(FilterState(Filter()))), "0-end ");
  EXPECT_EQ(times_of("pid == 7"), "0-end ");
  EXPECT_EQ(times_of("time in 10..20"), "10-20 ");
  EXPECT_EQ(times_of("time < 10"), "0-9 ");
  EXPECT_EQ(times_of("time >= 1us"), "1000-end ");
  EXPECT_EQ(times_of("time not in 10..20"), "0-9 21-end ");
  EXPECT_EQ(times_of("time in {10..20, 40..50} && pid == 7 && time < 45"), "10-20 40-44 ");
  EXPECT_EQ(times_of("time in 10..20 || time in 15..30"), "10-30 ");
  EXPECT_EQ(times_of("time in 10..20 || pid == 7"), "0-end ");
  EXPECT_EQ(times_of("!(time in 10..20)"), "0-end ") << "a sample without a time is kept";
  EXPECT_EQ(times_of("time in 10%..20%", {.first = 1000, .last = 2000}), "1100-1199 ");
}

}  // namespace
}  // namespace perfsift::filter
