// The samples of inputs as sums by stack, run and time block: what a stored profile is written from.
#pragma once

#include <cstddef>
#include <cstdint>

#include "analysis/profile/profile.h"
#include "analysis/profile/sample_log.h"

namespace perfsift::analysis {

// The samples of one input: its log, and its lists for what has no log (folded text).
struct InputSamples {
  const Profile& profile;
  const SampleLog& log;
  std::size_t first_list = 0, end_list = 0;
};

// Where the samples of an input go. The time blocks of a run that several inputs become are shared among the inputs.
struct RunPlace {
  std::uint32_t run = 0;   // of a stored profile: its first run
  bool one_run = false;    // all go to this run
  std::uint32_t part = 0;  // of the run
  std::uint32_t all_parts = 1;
};

// Appends the sums to a log. Blocks are numbered as in Run.
void append_run(const InputSamples& samples, const RunPlace& place, SampleLog& to);

}  // namespace perfsift::analysis
