// Which of the functions that changed are the cause, and which only call the cause.
#pragma once

#include <optional>
#include <vector>

#include "analysis/gate/function_samples.h"
#include "analysis/gate/history.h"
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
  std::optional<CostCourse> course;  // where there is a history
};

// The smallest change of a function that matters, in parts of the baseline's whole cost.
double least_effect(const Measured& measured, const Rules& rules);
// More than chance, and at least the smallest one that matters. `chance`: after the correction for all tests.
bool is_change(const Measured& measured, double chance, const Rules& rules);

// A function whose own samples changed is a culprit. A function whose total changed is one if the total still changed
// without the samples of culprits that were found before; callees come before callers. Otherwise the function is among
// the callers of a culprit. `history`: null without one.
std::vector<Finding> find_culprits(MatchedStacks& stacks, const Matching& matching, const ChosenYard& yard,
                                   const Noise& noise, const History* history, const std::vector<Tested>& tested,
                                   const Rules& rules);

}  // namespace perfsift::analysis
