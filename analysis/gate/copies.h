// Runs that are the same recording: a copy of a file, a link to it, a stored run of it. Together they are one repeat:
// counted as several, they would make chance look small.
#pragma once

#include <string>
#include <vector>

#include "analysis/gate/run.h"

namespace perfsift::analysis {

struct Copy {
  std::string name;  // of a run that was removed
  std::string of;    // of the run that stays
};

// Keeps the first of the runs with the same samples of the same stacks in the same time blocks. Runs without samples
// stay.
std::vector<Copy> remove_copies(GateSide& side);

}  // namespace perfsift::analysis
