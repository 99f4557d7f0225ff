// Stretches of time, as sets: ascending, apart from each other.
#pragma once

#include "filter/filter.h"

namespace perfsift::filter {

TimeRanges all_time();
// In any order, and overlapping or not.
TimeRanges in_order(TimeRanges ranges);
TimeRanges in_any(const TimeRanges& a, const TimeRanges& b);
TimeRanges in_both(const TimeRanges& a, const TimeRanges& b);
TimeRanges in_none_of(const TimeRanges& ranges);

// The range that the time is in; nullptr: in none.
const TimeRange* range_around(const TimeRanges& ranges, std::uint64_t time);

}  // namespace perfsift::filter
