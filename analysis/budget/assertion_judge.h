// Judges a measured value by a limit.
#pragma once

#include <string>

#include "analysis/budget/measured_value.h"
#include "filter/budget/budget.h"

namespace perfsift::analysis {

// An assertion passes if its whole interval keeps the limit, and fails if no part of the interval does. Between the two
// it cannot be judged, and neither can it where something is not known. A limit of 0 is compared with the measured
// value itself. `before`: the value of the baseline, which only limits of the baseline need; null: there is none.
AssertionResult judge_assertion(const filter::Assertion& assertion, const std::string& file, const MeasuredValue& after,
                                const MeasuredValue* before);

}  // namespace perfsift::analysis
