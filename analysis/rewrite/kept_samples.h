// The samples of a recording that are kept, as the positions of their records.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analysis/profile/time_span.h"
#include "analysis/rewrite/split.h"
#include "analysis/samples/sample_filter.h"
#include "base/large_vector.h"
#include "filter/time_ranges.h"

namespace perfsift::analysis {

// The samples of one output.
struct KeptSamples {
  std::string part;                      // the part of a split recording; empty without a split
  LargeVector<std::uint64_t> positions;  // ascending, without duplicates
  TimeSpan sampled_time;
  std::set<std::pair<std::int32_t, std::int32_t>> threads;  // pid and tid
  // The times at which samples can occur: passing records at other times are not needed.
  filter::TimeRanges times = filter::all_time();

  // Adds the position and the time of a sample, but not its thread. Further counters of the previous sample's group are
  // ignored.
  void add(const reader::Sample& sample);
};

// Applies the prepared filter to every sample, on `threads` threads; on one thread if the filter needs samples in
// order. A sample that reads a group of counters is filtered once per counter that moved, and kept whole if any counter
// is kept. Without a split there is exactly one part, which may be empty; with a split there is one part for each name
// that occurs, in the order of names.
std::vector<KeptSamples> find_kept_samples(reader::Recording& recording, const RecordingFilter& filter,
                                           const SplitRule& split, unsigned threads);

}  // namespace perfsift::analysis
