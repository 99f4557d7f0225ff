// self("f"), total("f"), never "f" under "g": counted on the stacks of runs.
#pragma once

#include <string>
#include <vector>

#include "analysis/budget/measured_value.h"
#include "analysis/gate/run.h"
#include "filter/budget/budget.h"

namespace perfsift::analysis {

// Which functions match, by FunctionId.
std::vector<bool> matching_functions(const filter::FunctionPattern& pattern, const GateStacks& stacks);

// The value in percent, or for `never` the number of samples. `stacks`: the stacks of the runs.
MeasuredValue measure_function(const filter::Assertion& assertion, const GateStacks& stacks,
                               const std::vector<Run>& runs);

}  // namespace perfsift::analysis
