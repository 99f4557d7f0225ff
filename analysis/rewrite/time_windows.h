// Finds the samples of a recording within given time windows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "analysis/rewrite/kept_samples.h"
#include "reader/recording.h"

namespace perfsift::analysis {

// `from` and `until` are inclusive.
struct TimeWindow {
  std::uint64_t from = 0;
  std::uint64_t until = 0;
  std::size_t part = 0;  // the part that gets the samples
};

// The samples of each of `parts` parts: all samples in any of the part's windows, of all threads and CPUs. Windows may
// overlap, and may come in any order. A sample without a time is in no window. Reads the recording once.
std::vector<KeptSamples> samples_in_windows(reader::Recording& recording, std::vector<TimeWindow> windows,
                                            std::size_t parts);

}  // namespace perfsift::analysis
