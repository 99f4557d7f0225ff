// PERF_RECORD_LOST and PERF_RECORD_LOST_SAMPLES: what is missing from the recording. They count different things:
// records that found no room in the ring buffer, and samples that were never taken.
#pragma once

#include <cstdint>
#include <optional>

#include "reader/record.h"

namespace perfsift::reader {

struct Lost {
  std::uint64_t id = 0;  // of the event
  std::uint64_t lost = 0;
};

struct LostSamples {
  std::uint64_t lost = 0;
  bool dropped_by_bpf = false;  // not lost: a BPF filter of perf record said no
};

std::optional<Lost> decode_lost(const Record& record);
std::optional<LostSamples> decode_lost_samples(const Record& record);

}  // namespace perfsift::reader
