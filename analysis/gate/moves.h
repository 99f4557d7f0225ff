// Costs that moved from one caller of a function to another.
#pragma once

#include <cstddef>
#include <vector>

#include "analysis/gate/function_samples.h"
#include "analysis/gate/significance.h"
#include "analysis/gate/verdict.h"
#include "analysis/gate/yardstick.h"

namespace perfsift::analysis {

inline constexpr std::size_t most_moving_functions = 512;

// Functions of `most_moving_functions` with the most samples that are not among `known`, and that at least one caller
// calls for more than before and another one for less: by at least the minimum effect, and by more than chance. All
// pairs of a caller and a function that are large enough are tested, and corrected for each other apart from the tests
// of functions, so that these tests find as much as without pairs.
std::vector<Finding> find_moves(const MatchedStacks& stacks, const std::vector<FunctionSums>& sums,
                                const ChosenYard& yard, const Noise& noise, const Rules& rules,
                                const std::vector<Finding>& known);

}  // namespace perfsift::analysis
