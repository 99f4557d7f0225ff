// The range from the first to the last of some times.
#pragma once

#include <algorithm>
#include <cstdint>

#include "reader/format/record.h"

namespace perfsift::analysis {

struct TimeSpan {
  std::uint64_t first = reader::no_time, last = 0;  // nanoseconds

  // Ignores a time that was not recorded.
  void add(std::uint64_t time) {
    if (time == reader::no_time) return;
    first = std::min(first, time);
    last = std::max(last, time);
  }
  void add(const TimeSpan& other) {
    first = std::min(first, other.first);
    last = std::max(last, other.last);
  }
  bool empty() const { return first > last; }
  std::uint64_t length() const { return empty() ? 0 : last - first; }
};

}  // namespace perfsift::analysis
