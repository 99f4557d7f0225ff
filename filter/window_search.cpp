#include "filter/window_search.h"

#include <algorithm>
#include <optional>

#include "filter/predicates.h"

namespace perfsift::filter {
namespace {

constexpr std::uint64_t end_of_time = ~std::uint64_t{0};

const Window& window(const Filter& filter, std::size_t index) {
  return static_cast<const Window&>(*filter.needs().windows[index]);
}

// Appends a range that does not begin before the last one.
void append(TimeRanges& ranges, TimeRange range) {
  if (!ranges.empty() && range.from <= ranges.back().until) {
    ranges.back().until = std::max(ranges.back().until, range.until);
  } else {
    ranges.push_back(range);
  }
}

}  // namespace

WindowSearch::WindowSearch(const Filter& filter, RecordingTimes times)
    : filter_(filter), state_(filter, times), marks_(filter.needs().windows.size()) {}

void WindowSearch::see(SampleFacts& sample, std::uint64_t position) {
  const auto time = sample.number(Fact::time);
  if (!time) return;
  Evaluation about{.sample = sample, .code = sample, .state = state_};
  for (std::size_t i = 0; i < marks_.size(); ++i) {
    const Window& wanted = window(filter_, i);
    const Mark mark{.time = time->bits, .position = position};
    if (wanted.from().holds(about)) marks_[i].push_back(mark);
    if (wanted.until() != nullptr && wanted.until()->holds(about)) {
      marks_[i].push_back({.time = mark.time, .position = position, .closes = true});
    }
  }
}

TimeRanges WindowSearch::around(const std::vector<Mark>& marks, std::uint64_t radius) {
  TimeRanges ranges;
  for (const Mark& mark : marks) {
    append(ranges, {.from = mark.time - std::min(mark.time, radius),
                    .until = mark.time + std::min(end_of_time - mark.time, radius)});
  }
  return ranges;
}

TimeRanges WindowSearch::between(const std::vector<Mark>& marks) {
  TimeRanges ranges;
  std::optional<std::uint64_t> open;
  for (const Mark& mark : marks) {
    if (!mark.closes && !open) open = mark.time;
    if (mark.closes && open) {
      append(ranges, {.from = *open, .until = mark.time});
      open.reset();
    }
  }
  if (open) append(ranges, {.from = *open, .until = end_of_time});
  return ranges;
}

Windows WindowSearch::join(const Filter& filter, std::span<const WindowSearch* const> searches) {
  Windows windows;
  for (std::size_t i = 0; i < filter.needs().windows.size(); ++i) {
    std::vector<Mark> all;
    for (const WindowSearch* const search : searches) {
      all.insert(all.end(), search->marks_[i].begin(), search->marks_[i].end());
    }
    std::ranges::sort(all);
    const Window& wanted = window(filter, i);
    windows.push_back(wanted.until() == nullptr ? around(all, wanted.radius()) : between(all));
  }
  return windows;
}

}  // namespace perfsift::filter
