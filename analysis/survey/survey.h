// Statistics of a recording from one visit of all samples.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "analysis/profile/quality.h"
#include "reader/recording.h"
#include "symbolize/symbolizer.h"

namespace perfsift::analysis {

struct EventCount {
  std::uint64_t samples = 0;  // as delivered: a group read counts once per member
  std::uint64_t period_total = 0;
};

// A process under one of its names: threads have different names, and an exec changes the name.
struct ProcessName {
  std::int32_t pid = -1;
  std::string comm;
  auto operator<=>(const ProcessName&) const = default;
};

struct Survey {
  std::vector<EventCount> events;                  // by Event::index
  std::map<std::int32_t, std::uint64_t> cpus;      // numbers of samples; without events that record no CPU
  std::map<ProcessName, std::uint64_t> processes;  // numbers of samples
  bool named = false;                              // whether frames were counted and looked up
  Quality quality;

  std::uint64_t samples() const { return quality.samples; }
  void add(const Survey& other);
};

// Visits the recording with `threads` threads. `symbolizer` names the frames; nullptr: `quality` has no data about
// frames and incomplete stacks.
Survey survey_samples(reader::Recording& recording, unsigned threads, symbolize::Symbolizer* symbolizer);

}  // namespace perfsift::analysis
