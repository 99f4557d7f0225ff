// Records about what is missing from the recording.
#pragma once

#include <cstdint>
#include <optional>

#include "reader/format/record.h"

namespace perfsift::reader {

// PERF_RECORD_LOST: records that found no room in the ring buffer.
struct Lost {
  std::uint64_t id = 0;  // of the event
  std::uint64_t lost = 0;
};

// PERF_RECORD_LOST_SAMPLES: samples that were never taken, or, written by perf, samples that found no room.
struct LostSamples {
  std::uint64_t lost = 0;
  bool dropped_by_bpf = false;  // not lost: a BPF filter of perf record dropped them
};

std::optional<Lost> decode_lost(const Record& record);
std::optional<LostSamples> decode_lost_samples(const Record& record);

// PERF_RECORD_THROTTLE and PERF_RECORD_UNTHROTTLE: the kernel stopped an event that was too frequent, and
// started the event again.
struct Throttle {
  std::uint64_t time = 0;
  std::uint64_t id = 0;         // of the event
  std::uint64_t stream_id = 0;  // of this instance of the event
};

// Decodes THROTTLE and UNTHROTTLE records; record.header.type says which.
std::optional<Throttle> decode_throttle(const Record& record);

}  // namespace perfsift::reader
