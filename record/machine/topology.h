// The parts of the machine: CPUs, caches, memory.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reader/features/features.h"

namespace perfsift::record {

// `sysfs`: the root of sysfs.

// The number of CPUs that the machine has, as perf counts: the highest number that is present, plus 1.
std::optional<std::uint32_t> present_cpu_count(const std::string& sysfs);
std::optional<std::uint32_t> online_cpu_count(const std::string& sysfs);

// Siblings of CPUs that are online; core, socket and die of all that are present (-1: not known).
std::optional<reader::CpuTopology> cpu_topology(const std::string& sysfs);
// The different caches, by level.
std::vector<reader::CacheLevel> cpu_caches(const std::string& sysfs);
std::vector<reader::NumaNode> numa_nodes(const std::string& sysfs);
// Which blocks of memory belong to which node.
std::optional<reader::MemoryTopology> memory_topology(const std::string& sysfs);

}  // namespace perfsift::record
