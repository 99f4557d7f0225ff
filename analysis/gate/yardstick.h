// What the costs of both sides are measured by.
#pragma once

#include <vector>

#include "analysis/gate/contrast.h"
#include "analysis/gate/function_samples.h"

namespace perfsift::analysis {

struct ChosenYard {
  Yard yard;
  std::vector<bool> changed;  // by function: its own samples are not part of the yardstick
};

// The samples of functions that did not change: as in the analysis of gene expression, most functions are taken not to
// change, so that the median of the changes of functions is no change. Functions that differ from it by more than
// chance are left out of the yardstick. All samples, where so few functions have samples that there is no majority.
ChosenYard choose_yard(MatchedStacks& stacks, const std::vector<FunctionSums>& sums, const Rules& rules);

// How many samples of each subject are samples of the yardstick, too.
std::vector<Both<double>> shared_samples(MatchedStacks& stacks, const std::vector<FunctionSeries>& subjects,
                                         const ChosenYard& yard);

}  // namespace perfsift::analysis
