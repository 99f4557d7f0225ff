#include "record/keep/value_set.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "filter/time_ranges.h"

namespace perfsift::record {
namespace {

constexpr std::uint64_t sign = std::uint64_t{1} << 63;

constexpr std::uint64_t stored(std::int64_t number) { return static_cast<std::uint64_t>(number) ^ sign; }
constexpr std::int64_t number_of(std::uint64_t stored) { return static_cast<std::int64_t>(stored ^ sign); }

std::uint64_t stored(const filter::Number& number) {
  const bool is_too_large = !number.negative && number.bits >= sign;
  return is_too_large ? stored(std::numeric_limits<std::int64_t>::max())
                      : stored(static_cast<std::int64_t>(number.bits));
}

}  // namespace

ValueSet ValueSet::all() {
  ValueSet set;
  set.ranges_ = filter::all_time();
  return set;
}

ValueSet ValueSet::of(std::span<const filter::Interval> intervals) {
  filter::TimeRanges ranges;
  for (const filter::Interval& interval : intervals) {
    ranges.push_back({.from = stored(interval.from), .until = stored(interval.until)});
  }
  ValueSet set;
  set.ranges_ = filter::in_order(std::move(ranges));
  return set;
}

ValueSet ValueSet::of(std::span<const unsigned> numbers) {
  filter::TimeRanges ranges;
  for (const unsigned number : numbers) ranges.push_back({.from = stored(number), .until = stored(number)});
  ValueSet set;
  set.ranges_ = filter::in_order(std::move(ranges));
  return set;
}

ValueSet ValueSet::of_bits(std::uint64_t bits) {
  std::vector<unsigned> numbers;
  for (unsigned bit = 0; bit < 64; ++bit) {
    if ((bits >> bit & 1) != 0) numbers.push_back(bit);
  }
  return of(numbers);
}

ValueSet ValueSet::in_both(const ValueSet& other) const {
  ValueSet set;
  set.ranges_ = filter::in_both(ranges_, other.ranges_);
  return set;
}

ValueSet ValueSet::in_any(const ValueSet& other) const {
  ValueSet set;
  set.ranges_ = filter::in_any(ranges_, other.ranges_);
  return set;
}

ValueSet ValueSet::others() const {
  ValueSet set;
  set.ranges_ = filter::in_none_of(ranges_);
  return set;
}

bool ValueSet::has(std::int64_t number) const { return filter::range_around(ranges_, stored(number)) != nullptr; }

std::optional<std::vector<std::int64_t>> ValueSet::numbers(std::size_t most) const {
  std::vector<std::int64_t> numbers;
  for (const filter::TimeRange& range : ranges_) {
    const std::uint64_t after_first = range.until - range.from;
    if (after_first >= most - numbers.size()) return std::nullopt;
    for (std::uint64_t i = 0; i <= after_first; ++i) numbers.push_back(number_of(range.from + i));
  }
  return numbers;
}

std::optional<std::pair<std::int64_t, std::int64_t>> ValueSet::bounds() const {
  if (empty()) return std::nullopt;
  return std::pair(number_of(ranges_.front().from), number_of(ranges_.back().until));
}

std::vector<unsigned> ValueSet::among(std::span<const unsigned> some) const {
  std::vector<unsigned> found;
  std::ranges::copy_if(some, std::back_inserter(found), [this](unsigned number) { return has(number); });
  return found;
}

}  // namespace perfsift::record
