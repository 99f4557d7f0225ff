// What one visit of all samples of a recording tells about it.
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
  std::uint64_t samples = 0;  // as delivered: a group read once per member
  std::uint64_t period_total = 0;
};

// A process under one of its names: those of its threads, and before and after an exec.
struct ProcessName {
  std::int32_t pid = -1;
  std::string comm;
  auto operator<=>(const ProcessName&) const = default;
};

struct Survey {
  std::vector<EventCount> events;                  // by Event::index
  std::map<std::int32_t, std::uint64_t> cpus;      // samples; of events that record no CPU, none
  std::map<ProcessName, std::uint64_t> processes;  // the same
  bool named = false;                              // whether frames were counted and looked up
  Quality quality;

  std::uint64_t samples() const { return quality.samples; }
  void add(const Survey& other);
};

// Visits the recording with so many threads. `symbolizer` names the frames; without one they are not looked at, and
// quality tells nothing of them.
Survey survey_samples(reader::Recording& recording, unsigned threads, symbolize::Symbolizer* symbolizer);

}  // namespace perfsift::analysis
