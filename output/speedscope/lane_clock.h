// The places of samples on the axis of speedscope, which has the unit of their values.
//
// A sample stands for what the thread did before it: a value of 4,000,000 ns at 10 ms is the time from 6 to 10 ms. What
// lies between that time and the sample before is a gap. For clocks this is time; for other events, a gap is as wide as
// the samples that would have filled it at the thread's usual rate:
//
//   time    0    10   20   30        70   80          usual rate: 5 a unit of time
//   value        50   50   50        50   50
//   axis    |----|----|----|---------|----|----|      gap: 30 units of time, 150
#pragma once

#include <cstdint>

#include "output/export_source.h"
#include "output/lanes/thread_lanes.h"

namespace perfsift::output {

// Not thread-safe.
class LaneClock {
 public:
  // The samples of a lane without times, of unknown threads or of several recordings, whose times have nothing in
  // common, follow each other without gaps. Both must live longer.
  LaneClock(const Lane& lane, const ExportSource& source);

  // The gap before the next sample of the lane, whose value is not 0; 0: there is none, or it is not longer than half a
  // sample, as times of samples are not exact.
  std::uint64_t gap_before(const LaneSample& sample);

 private:
  double rate_ = 0;  // values a nanosecond; 0: there are no gaps
  double least_gap_ = 0;
  std::uint64_t start_ = 0;  // of the axis, in nanoseconds
  double end_ = 0;           // of the samples so far, on the axis
  bool is_first_ = true;
};

}  // namespace perfsift::output
