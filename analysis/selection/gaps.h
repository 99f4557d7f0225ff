// Intervals of a recording without the expected samples: losses, and throttled events.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/selection/sample_index.h"
#include "reader/read_stats.h"

namespace perfsift::analysis {

struct Gap {
  enum class Kind : std::uint8_t { lost_records, lost_samples, throttled };

  Kind kind = Kind::lost_records;
  std::int32_t cpu = -1;    // -1: not known
  std::uint64_t from = 0;   // nanoseconds
  std::uint64_t until = 0;  // for a loss: the time when the kernel could write again
  std::uint64_t count = 0;  // the number of lost samples or records; 0 for throttling
};

// The gaps in the order of time. A loss begins with the CPU's last sample before it. Losses without a time are left
// out.
std::vector<Gap> find_gaps(std::span<const reader::LostAt> lost, std::span<const reader::ThrottleWindow> throttled,
                           const SampleIndex& table);

}  // namespace perfsift::analysis
