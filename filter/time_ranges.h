// Sets of times, as ranges: ascending, without overlap.
#pragma once

#include "filter/filter.h"

namespace perfsift::filter {

TimeRanges all_time();
// Sorts and joins ranges that may come in any order and overlap.
TimeRanges in_order(TimeRanges ranges);
TimeRanges in_any(const TimeRanges& a, const TimeRanges& b);
TimeRanges in_both(const TimeRanges& a, const TimeRanges& b);
TimeRanges in_none_of(const TimeRanges& ranges);

// The range with the time, or nullptr.
const TimeRange* range_around(const TimeRanges& ranges, std::uint64_t time);

}  // namespace perfsift::filter
