// The options that set a QualityBudget.
#pragma once

#include "analysis/profile/quality.h"
#include "options/command_line.h"

namespace perfsift::options {

// --max-lost, --max-unresolved, --max-truncated, --max-incomplete and --fail-empty. The budget must live
// until the options are parsed.
void add_budget(analysis::QualityBudget& budget, po::options_description& options);
// --max-lost and --fail-empty alone: for commands that look no names up.
void add_max_lost(analysis::QualityBudget& budget, po::options_description& options);

}  // namespace perfsift::options
