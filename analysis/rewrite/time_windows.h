// Which samples of a recording were taken in certain stretches of time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "analysis/rewrite/kept_samples.h"
#include "reader/recording.h"

namespace perfsift::analysis {

// Both ends belong to it.
struct TimeWindow {
  std::uint64_t from = 0;
  std::uint64_t until = 0;
  std::size_t part = 0;  // where its samples go
};

// The samples of each of `parts` parts: all that lie in any of its windows, of all threads and CPUs. Windows may
// overlap, and come in any order. A sample without a time lies in none. Reads the recording once.
std::vector<KeptSamples> samples_in_windows(reader::Recording& recording, std::vector<TimeWindow> windows,
                                            std::size_t parts);

}  // namespace perfsift::analysis
