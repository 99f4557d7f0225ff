// Which CPUs of the machine are online.
#pragma once

#include <vector>

#include "record/machine/kernel_files.h"

namespace perfsift::record {

// The CPUs that are online, ascending: those that sysfs lists, and where it is not mounted, those of /proc/stat. Throws
// Error if neither lists one.
std::vector<unsigned> online_cpus(const KernelRoots& roots);
// The same CPUs; empty instead of an Error.
std::vector<unsigned> known_online_cpus(const KernelRoots& roots);

}  // namespace perfsift::record
