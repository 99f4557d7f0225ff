// Finds the windows of a filter: the ranges of time of `within … of` and `between … and`.
//
// The samples that open windows are only known after all samples were seen, so a filter with windows takes two visits.
// In the first, each thread shows all samples to a WindowSearch of its own, in any order. The results are joined, and
// given to each FilterState of the second visit.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "filter/filter.h"

namespace perfsift::filter {

// Not thread-safe: make one for each thread. The filter must outlive the object.
class WindowSearch {
 public:
  explicit WindowSearch(const Filter& filter, RecordingTimes times = {});

  // `position`: the order of samples of the same time.
  void see(SampleFacts& sample, std::uint64_t position);

  static Windows join(const Filter& filter, std::span<const WindowSearch* const> searches);

 private:
  // A sample that opens or closes a window.
  struct Mark {
    std::uint64_t time = 0;
    std::uint64_t position = 0;
    bool closes = false;
    auto operator<=>(const Mark&) const = default;
  };

  static TimeRanges around(const std::vector<Mark>& marks, std::uint64_t radius);
  static TimeRanges between(const std::vector<Mark>& marks);

  const Filter& filter_;
  FilterState state_;
  std::vector<std::vector<Mark>> marks_;  // by window
};

}  // namespace perfsift::filter
