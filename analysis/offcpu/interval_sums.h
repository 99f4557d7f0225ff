// How long intervals took together.
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
  // Of these, what the threads did not choose: in run queues, and blocked in a way that is in
  // filter::involuntary_waits. Known when all intervals are there, see Analysis::finish().
  std::uint64_t involuntary = 0;

  void add(const Interval& interval) {
    ++count;
    blocked += interval.blocked;
    run_queue += interval.run_queue;
    unknown += interval.unknown;
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
