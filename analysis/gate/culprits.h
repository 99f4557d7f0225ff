// Which of the functions that changed are the cause, and which only call the cause.
#pragma once

#include <vector>

#include "analysis/gate/function_samples.h"
#include "analysis/gate/matching.h"
#include "analysis/gate/significance.h"
#include "analysis/gate/verdict.h"
#include "analysis/gate/yardstick.h"

namespace perfsift::analysis {

// The self or total samples of a function, tested.
struct Tested {
  FunctionId function = 0;
  Part part = Part::self;
  Both<double> samples;
  Measured measured;
  double q = 1;
};

// A function whose own samples changed is a culprit. A function whose total changed is one if the total still changed
// without the samples of culprits that were found before; callees come before callers. Otherwise the function is among
// the callers of a culprit.
std::vector<Finding> find_culprits(MatchedStacks& stacks, const Matching& matching, const ChosenYard& yard,
                                   const Noise& noise, const std::vector<Tested>& tested, const Rules& rules);

}  // namespace perfsift::analysis
