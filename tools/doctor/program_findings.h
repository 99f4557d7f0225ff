// perf's version, and the room for recordings.
#pragma once

#include <string>
#include <string_view>

#include "record/doctor/finding.h"
#include "tools/doctor/limited_run.h"

namespace perfsift::tools {

// `perf`: how `perf --version` ran. `release`: of the kernel.
record::Finding perf_finding(const LimitedRun& perf, std::string_view release);
// Asks the perf of the search path, for at most 2 seconds.
LimitedRun version_of_perf();

// The room in a folder for recordings.
record::Finding disk_finding(const std::string& folder);

}  // namespace perfsift::tools
