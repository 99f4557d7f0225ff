// Which accesses an event leaves out because they were fast.
#pragma once

#include <cstdint>
#include <optional>

#include "reader/features/features.h"
#include "reader/format/event.h"

namespace perfsift::analysis {

struct LatencyThreshold {
  enum class Kind : std::uint8_t {
    loads,   // Intel: loads that took fewer cycles are not sampled
    misses,  // IBS: only loads are sampled that missed the L1 and took more cycles
    all,     // SPE: operations that took fewer cycles are not sampled
  };
  Kind kind = Kind::loads;
  std::uint64_t cycles = 0;
};

// The threshold in the terms of the event: ldlat of Intel's loads and of ibs_op, min_latency of arm_spe. Nothing for
// other events, and for thresholds that no access is below.
std::optional<LatencyThreshold> latency_threshold(const reader::Event& event, const reader::Features& features);
// Whether the event samples only operations that missed the L3: l3missonly of ibs_op.
bool samples_l3_misses_only(const reader::Event& event);

}  // namespace perfsift::analysis
