// Sums of the times of intervals.
#pragma once

#include <algorithm>
#include <cstdint>

#include "analysis/offcpu/interval.h"

namespace perfsift::offcpu {

struct IntervalSums {
  std::uint64_t count = 0;
  std::uint64_t blocked = 0;
  std::uint64_t run_queue = 0;
  std::uint64_t unknown = 0;
  std::uint64_t longest = 0;
  // The part that the threads did not choose: time in run queues, and time blocked in a kind of
  // filter::involuntary_waits. Set only after the last interval: see Analysis::finish().
  std::uint64_t involuntary = 0;

  void add(const Interval& interval) {
    count += interval.count;
    blocked += interval.blocked * interval.count;
    run_queue += interval.run_queue * interval.count;
    unknown += interval.unknown * interval.count;
    if (interval.length() > longest) longest = interval.length();
  }
  void add(const IntervalSums& sums) {
    count += sums.count;
    blocked += sums.blocked;
    run_queue += sums.run_queue;
    unknown += sums.unknown;
    longest = std::max(longest, sums.longest);
    involuntary += sums.involuntary;
  }
  std::uint64_t total() const { return blocked + run_queue + unknown; }
};

}  // namespace perfsift::offcpu
