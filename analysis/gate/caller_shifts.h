// Costs that shifted from one caller of a function to another.
#pragma once

#include <cstddef>
#include <vector>

#include "analysis/gate/function_samples.h"
#include "analysis/gate/normaliser.h"
#include "analysis/gate/significance.h"
#include "analysis/gate/verdict.h"

namespace perfsift::analysis {

inline constexpr std::size_t most_shifting_functions = 512;

// The functions whose cost below one caller grew and below another one fell: significantly, and by at least the minimum
// effect. `known`: functions of other findings, which are left out, as are all but the `most_shifting_functions` with
// the most samples. The p-values of pairs are adjusted apart from those of functions, which lose no power by pairs.
std::vector<Finding> find_caller_shifts(const MatchedStacks& stacks, const std::vector<FunctionSums>& sums,
                                        const Normaliser& normaliser, const Noise& noise, const Rules& rules,
                                        const std::vector<Finding>& known);

}  // namespace perfsift::analysis
