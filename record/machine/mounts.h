// Where file systems are mounted: /proc/self/mounts.
#pragma once

#include <string>
#include <string_view>

namespace perfsift::record {

// The first folder at which a file system of this type is mounted, with this option if it is not empty. Empty: nowhere.
// `mounts`: the text of /proc/self/mounts.
std::string mount_point(std::string_view mounts, std::string_view type, std::string_view option = {});

// The control groups that perf records (cgroupfs_find_mountpoint()): the hierarchy of the perf_event controller, or the
// unified hierarchy (cgroup2).
std::string cgroup_mount_point(std::string_view mounts);

}  // namespace perfsift::record
