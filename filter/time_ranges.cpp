#include "filter/time_ranges.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace perfsift::filter {
namespace {

constexpr std::uint64_t latest = std::numeric_limits<std::uint64_t>::max();

}  // namespace

TimeRanges all_time() { return {{.from = 0, .until = latest}}; }

TimeRanges in_order(TimeRanges ranges) {
  std::ranges::sort(ranges, {}, &TimeRange::from);
  TimeRanges ordered;
  for (const TimeRange& range : ranges) {
    if (range.until < range.from) continue;
    const bool adjacent =
        !ordered.empty() && (ordered.back().until == latest || range.from <= ordered.back().until + 1);
    if (adjacent) {
      ordered.back().until = std::max(ordered.back().until, range.until);
    } else {
      ordered.push_back(range);
    }
  }
  return ordered;
}

TimeRanges in_any(const TimeRanges& a, const TimeRanges& b) {
  TimeRanges all = a;
  all.insert(all.end(), b.begin(), b.end());
  return in_order(std::move(all));
}

TimeRanges in_both(const TimeRanges& a, const TimeRanges& b) {
  TimeRanges common;
  if (a.empty() || b.empty()) return common;
  // One short range is found at once among many.
  const auto first_reaching = [](const TimeRanges& ranges, std::uint64_t time) {
    return std::ranges::lower_bound(ranges, time, {}, &TimeRange::until);
  };
  for (auto i = first_reaching(a, b.front().from), j = first_reaching(b, a.front().from);
       i != a.end() && j != b.end();) {
    const TimeRange overlap{.from = std::max(i->from, j->from), .until = std::min(i->until, j->until)};
    if (overlap.from <= overlap.until) common.push_back(overlap);
    ++(i->until < j->until ? i : j);
  }
  return common;
}

TimeRanges in_none_of(const TimeRanges& ranges) {
  TimeRanges others;
  std::uint64_t from = 0;
  for (const TimeRange& range : ranges) {
    if (range.from > from) others.push_back({.from = from, .until = range.from - 1});
    if (range.until == latest) return others;
    from = range.until + 1;
  }
  others.push_back({.from = from, .until = latest});
  return others;
}

const TimeRange* range_around(const TimeRanges& ranges, std::uint64_t time) {
  const auto after = std::ranges::upper_bound(ranges, time, {}, &TimeRange::from);
  if (after == ranges.begin()) return nullptr;
  const TimeRange& range = *std::prev(after);
  return time <= range.until ? &range : nullptr;
}

}  // namespace perfsift::filter
