// Which functions cost more or less than before.
#pragma once

#include "analysis/gate/matching.h"
#include "analysis/gate/replicates.h"
#include "analysis/gate/verdict.h"

namespace perfsift::analysis {

// Sets findings, tests, spread, normalised_by, total_ratio and the samples of both sides, by the rules of the verdict.
// Both sides must have samples; where the rules compare runs, the replicates must be runs.
void compare_functions(const Replicates& replicates, const Matching& matching, Verdict& verdict);

}  // namespace perfsift::analysis
