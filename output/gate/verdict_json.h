// The verdict of perfsift check for programs.
#pragma once

#include <string>
#include <vector>

#include "analysis/gate/verdict.h"
#include "output/json.h"

namespace perfsift::output {

// One object, with stable keys: see perfsift-check(1).
Json verdict_json(const analysis::Verdict& verdict, const std::vector<std::string>& notes);
// Parts of it, which other outputs have, too.
Json function_json(const analysis::FunctionName& function);
Json estimate_json(const analysis::Estimate& estimate);

}  // namespace perfsift::output
