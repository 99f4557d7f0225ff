// Runs that are the same recording: a copy of a file, a link to the file, a stored run of the recording. Duplicates are
// one repeat: counted as several, they would make the noise look small.
#pragma once

#include <string>
#include <vector>

#include "analysis/gate/run.h"

namespace perfsift::analysis {

struct DuplicateRun {
  std::string name;  // of a run that was removed
  std::string of;    // of the run that stays
};

// Keeps the first of the runs with the same samples of the same stacks in the same time blocks. Runs without samples
// stay.
std::vector<DuplicateRun> remove_duplicate_runs(GateSide& side);

}  // namespace perfsift::analysis
