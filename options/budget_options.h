// The options that set a QualityBudget.
#pragma once

#include "analysis/profile/quality.h"
#include "options/command_line.h"

namespace perfsift::options {

// --max-lost, --max-unresolved, --max-truncated, --max-incomplete and --fail-empty. The budget must live
// until the options are parsed.
void add_budget(analysis::QualityBudget& budget, po::options_description& options);
// Only --max-lost and --fail-empty, for commands that do not look up names.
void add_max_lost(analysis::QualityBudget& budget, po::options_description& options);

}  // namespace perfsift::options
