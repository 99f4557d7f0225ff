// The verdict as SARIF 2.1.0, the format of results of static analysis, which code hosts show beside the code.
#pragma once

#include "analysis/gate/verdict.h"
#include "output/json.h"

namespace perfsift::output {

// What cannot be judged has the kind "open": evaluated, without enough information to decide.
Json sarif_json(const analysis::Verdict& verdict);

}  // namespace perfsift::output
