// Control groups whose threads are recorded.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/owned.h"

namespace perfsift::record {

// Where the control groups are that perf_event_open() knows: the hierarchy of the controller perf_event (version 1), or
// else the hierarchy of version 2. `mounts`: the text of /proc/mounts. Empty: neither is mounted.
std::string perf_cgroup_root(std::string_view mounts);

// The folders of `cgroups` (Target::cgroups), opened; an empty path has no descriptor. Throws UsageError for a group
// that does not exist.
std::vector<FileDescriptor> open_cgroups(const std::vector<std::string>& cgroups, const std::string& proc);

}  // namespace perfsift::record
