// Why a name is no key of --sort: keys that perf has and a command does not offer have a reason.
#pragma once

#include <string_view>

#include "analysis/table/key.h"

namespace perfsift::tools {

// Throws UsageError: with the reason if perf, or another command of perfsift, has the key, else with the keys that
// there are.
[[noreturn]] void refuse_key(analysis::RowsOf rows, std::string_view name);

}  // namespace perfsift::tools
