// The samples of inputs as sums by stack, run and time block: what a stored profile is written from.
#pragma once

#include <cstdint>

#include "analysis/table/sample_table.h"
#include "analysis/table/table_builder.h"

namespace perfsift::analysis {

// Where the samples of an input go. The time blocks of a run that several inputs become are shared among the inputs.
struct RunPlace {
  std::uint32_t run = 0;   // of a stored profile: its first run
  bool one_run = false;    // all go to this run
  std::uint32_t part = 0;  // of the run
  std::uint32_t all_parts = 1;
};

// Appends the samples of one input. Blocks are numbered as in Run.
void append_run(const SampleTable& table, const RunPlace& place, TableBuilder& to);

}  // namespace perfsift::analysis
