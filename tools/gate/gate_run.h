// An input as a run of a gate.
#pragma once

#include "analysis/gate/run.h"
#include "tools/input_profile.h"

namespace perfsift::tools {

// What the report of an input tells, without the counts of samples.
analysis::Run run_of(const InputReport& input);

}  // namespace perfsift::tools
