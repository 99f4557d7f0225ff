// perf's version, and the room for recordings.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "record/doctor/finding.h"

namespace perfsift::tools {

// `text`: what `perf --version` prints; nothing: perf cannot be run. `release`: of the kernel.
record::Finding perf_finding(const std::optional<std::string>& text, std::string_view release);
// What the perf of the search path prints; nothing if there is none.
std::optional<std::string> version_of_perf();

// The room in a folder for recordings.
record::Finding disk_finding(const std::string& folder);

}  // namespace perfsift::tools
