// lost, truncated, unresolved, incomplete, throttled, samples: what a recording says about its own quality.
#pragma once

#include <vector>

#include "analysis/budget/measured_value.h"
#include "analysis/gate/run.h"
#include "filter/budget/budget.h"

namespace perfsift::analysis {

MeasuredValue measure_quality(const filter::Assertion& assertion, const std::vector<Run>& runs);

}  // namespace perfsift::analysis
