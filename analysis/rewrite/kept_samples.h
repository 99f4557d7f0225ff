// Which samples of a recording are kept, told by the positions of their records.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analysis/rewrite/split.h"
#include "analysis/samples/sample_filter.h"
#include "base/large_vector.h"
#include "filter/time_ranges.h"

namespace perfsift::analysis {

// Those that go into one output.
struct KeptSamples {
  std::string part;                      // which part of a split recording; empty when it is not split
  LargeVector<std::uint64_t> positions;  // ascending, each once
  std::uint64_t first_time = reader::no_time;
  std::uint64_t last_time = 0;
  std::set<std::pair<std::int32_t, std::int32_t>> threads;  // pid and tid
  // Where samples can be: what passes at other times matters to none.
  filter::TimeRanges times = filter::all_time();

  // Its position and its time, not its thread. Another counter of the sample before it is that sample.
  void add(const reader::Sample& sample);
};

// Asks the filter, which is prepared, about every sample, on `threads` threads unless it needs their order. A sample
// that reads a group of counters is asked about once for each that moved, and kept whole when any of them is. Without a
// split there is exactly one part, which may be empty; with one there is a part for each name that occurs, in the order
// of names.
std::vector<KeptSamples> find_kept_samples(reader::Recording& recording, const RecordingFilter& filter,
                                           const SplitRule& split, unsigned threads);

}  // namespace perfsift::analysis
