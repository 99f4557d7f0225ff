// The lengths of waits by blocks of time. Each recording has at most 64 equally long blocks, which grow with the time
// that was seen, so that a recording is read once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/distribution.h"

namespace perfsift::analysis {

class WaitBlocks {
 public:
  // The following waits belong to another recording.
  void begin_recording();
  // `time`: the end of the wait. Waits come roughly in the order of their times.
  void add(std::uint64_t time, std::uint64_t length);

  // The blocks of all recordings; some may be empty.
  std::span<const Distribution> blocks() const { return blocks_; }

 private:
  void join_pairs();

  std::vector<Distribution> blocks_;
  std::size_t first_block_ = 0;   // of this recording
  std::uint64_t first_time_ = 0;  // of this recording
  std::uint64_t width_ = 0;       // nanoseconds
};

}  // namespace perfsift::analysis
