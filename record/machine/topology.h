// The parts of the machine: CPUs, caches, memory.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reader/features/features.h"
#include "record/machine/kernel_files.h"

namespace perfsift::record {

// The number of CPUs that the machine has, as perf counts: the highest number that is present, plus 1.
std::optional<std::uint32_t> present_cpu_count(const KernelRoots& roots);

// Siblings of CPUs that are online; core, socket and die of all that are present (-1: not known).
std::optional<reader::CpuTopology> cpu_topology(const KernelRoots& roots);
// The different caches, by level.
std::vector<reader::CacheLevel> cpu_caches(const KernelRoots& roots);
std::vector<reader::NumaNode> numa_nodes(const KernelRoots& roots);
// Which blocks of memory belong to which node.
std::optional<reader::MemoryTopology> memory_topology(const KernelRoots& roots);

}  // namespace perfsift::record
