// Which of the functions that changed are root causes, and which only call a root cause.
#pragma once

#include <optional>
#include <vector>

#include "analysis/gate/function_samples.h"
#include "analysis/gate/history.h"
#include "analysis/gate/matching.h"
#include "analysis/gate/normaliser.h"
#include "analysis/gate/significance.h"
#include "analysis/gate/verdict.h"

namespace perfsift::analysis {

// The self or total samples of a function, tested.
struct Tested {
  FunctionId function = 0;
  Part part = Part::self;
  Both<double> samples;
  Measured measured;
  double adjusted_p = 1;
  std::optional<CostTrend> trend;  // where there is a history
};

// The smallest change of a function that matters, in parts of the baseline's total cost.
double least_effect(const Measured& measured, const Rules& rules);
// Significant, and at least the smallest change that matters. `adjusted_p`: for all tests.
bool is_change(const Measured& measured, double adjusted_p, const Rules& rules);

// A function whose own samples changed is a root cause. A function whose total changed is one if the total still
// changed without the samples of root causes that were found before; callees come before callers. Otherwise the
// function is among the callers of a root cause. `history`: null without one.
std::vector<Finding> find_root_causes(MatchedStacks& stacks, const Matching& matching, const Normaliser& normaliser,
                                      const Noise& noise, const History* history, const std::vector<Tested>& tested,
                                      const Rules& rules);

}  // namespace perfsift::analysis
