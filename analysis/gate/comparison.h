// Which functions cost more or less than before.
#pragma once

#include "analysis/gate/matching.h"
#include "analysis/gate/units.h"
#include "analysis/gate/verdict.h"

namespace perfsift::analysis {

// Sets findings, tests, spread, yardstick, whole and the samples of both sides, by the rules of the verdict. Both sides
// must have samples; where the rules compare runs, the units must be runs.
void compare_functions(const Units& units, const Matching& matching, Verdict& verdict);

}  // namespace perfsift::analysis
