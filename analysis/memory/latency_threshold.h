// The latency below which an event leaves out accesses.
#pragma once

#include <cstdint>
#include <optional>

#include "reader/features/features.h"
#include "reader/format/event.h"

namespace perfsift::analysis {

struct LatencyThreshold {
  enum class Kind : std::uint8_t {
    loads,   // Intel: loads that took fewer cycles are not sampled
    misses,  // IBS: only loads that missed the L1 and took more cycles are sampled
    all,     // SPE: operations that took fewer cycles are not sampled
  };
  Kind kind = Kind::loads;
  std::uint64_t cycles = 0;
};

// The event's threshold: ldlat of Intel's loads and of ibs_op, or min_latency of arm_spe. Nothing for other events, and
// if no access is below the threshold.
std::optional<LatencyThreshold> latency_threshold(const reader::Event& event, const reader::Features& features);
// Whether the event samples only operations that missed the L3: l3missonly of ibs_op.
bool samples_l3_misses_only(const reader::Event& event);

}  // namespace perfsift::analysis
