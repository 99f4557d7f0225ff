// What perf writes into the header of a recording about the machine (write_*() in tools/perf/util/header.c), read from
// /proc and /sys.
#pragma once

#include "reader/features/features.h"
#include "record/machine/kernel_files.h"

namespace perfsift::record {

// HOSTNAME, OSRELEASE, ARCH, NRCPUS, CPUDESC, CPUID (x86 and arm64), TOTAL_MEM, CPU_TOPOLOGY, NUMA_TOPOLOGY,
// PMU_MAPPINGS, CACHE, MEM_TOPOLOGY, CPU_PMU_CAPS, PMU_CAPS, HYBRID_TOPOLOGY, CLN_SIZE. What the machine does not offer
// stays empty. Lists are sorted by number or name; perf's have the order of the folder.
reader::Features machine_features(const KernelRoots& roots = {});

}  // namespace perfsift::record
