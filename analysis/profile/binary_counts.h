// In how many samples each program and library is seen.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/samples/user_stack.h"
#include "reader/recording.h"

namespace perfsift::analysis {

struct BinaryCounts {
  std::uint64_t samples = 0;
  std::vector<std::uint64_t> with_frame_in;  // of these samples, by index into Timeline::binaries()

  void add(const BinaryCounts& other);
};

// Visits all samples of a recording that is no stream, with so many threads.
BinaryCounts count_binaries(reader::Recording& recording, const UnwindOptions& unwind, unsigned threads);

}  // namespace perfsift::analysis
