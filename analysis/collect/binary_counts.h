// The number of samples in which each program and library occurs.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/samples/user_stack.h"
#include "reader/recording.h"

namespace perfsift::analysis {

struct BinaryCounts {
  std::uint64_t samples = 0;
  std::vector<std::uint64_t> with_frame_in;  // samples with a frame in the binary, by index into Timeline::binaries()

  void add(const BinaryCounts& other);
};

// Visits all samples of a recording, which must not be a stream, with `threads` threads.
BinaryCounts count_binaries(reader::Recording& recording, const UnwindOptions& unwind, unsigned threads);

}  // namespace perfsift::analysis
