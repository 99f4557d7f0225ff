// Stretches of a recording without samples that should be there: lost ones, and those of a throttled event.
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
  std::uint64_t until = 0;  // of a loss: when the kernel could write again
  std::uint64_t count = 0;  // of what was lost; 0 for throttled
};

// A loss begins with the last sample of the CPU before it. Losses without a time are left out. In the order of time.
std::vector<Gap> find_gaps(std::span<const reader::LostAt> lost, std::span<const reader::ThrottleWindow> throttled,
                           const SampleIndex& table);

}  // namespace perfsift::analysis
