// The contents of a Sampler and of LiveSamples.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include <perfsift/sampling.h>

#include "library/sample_copy.h"
#include "reader/format/event.h"
#include "record/sampler.h"

namespace perfsift::v0::detail {

// Thread-safe.
struct SamplerState {
  SamplerState(const record::SamplerPlan& plan, std::string chosen);

  record::Sampler sampler;
  const std::string choice;
  std::vector<reader::Event> layouts;  // of the samples
  std::vector<Event> events;
  std::unordered_map<std::uint64_t, std::uint32_t> event_of_id;  // of counters
};

// Callchains of the samples are in `records`.
struct LiveSamplesState {
  SampleCopy records;
  std::vector<LiveSample> samples;
};

// The samples that are in the rings, by time.
LiveSamplesState take_samples(SamplerState& state);

}  // namespace perfsift::v0::detail
