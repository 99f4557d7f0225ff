// Control groups whose threads are recorded.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/owned.h"

namespace perfsift::record {

// The folders of `cgroups` (Target::cgroups), opened; an empty path has no descriptor. Throws UsageError for a group
// that does not exist.
std::vector<FileDescriptor> open_cgroups(const std::vector<std::string>& cgroups, const std::string& proc);

}  // namespace perfsift::record
