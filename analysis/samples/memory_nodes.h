// The NUMA nodes of a machine: of its CPUs, and of its physical memory.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "reader/features/features.h"

namespace perfsift::analysis {

// Immutable. From the features NUMA_TOPOLOGY and MEM_TOPOLOGY, which perf record writes on machines that have sysfs.
class MemoryNodes {
 public:
  explicit MemoryNodes(const reader::Features& features);

  bool knows_cpus() const { return !cpus_.empty(); }
  bool knows_memory() const { return !blocks_.empty(); }

  // Nothing: not known.
  std::optional<std::uint32_t> of_cpu(std::int32_t cpu) const;
  // The address 0 stands for no address: the kernel writes 0 where it cannot find the page, or must not show it.
  std::optional<std::uint32_t> of_physical(std::uint64_t address) const;

 private:
  struct Range {
    std::uint64_t first = 0, last = 0;  // CPUs
    std::uint32_t node = 0;
  };
  struct Blocks {
    std::uint32_t node = 0;
    std::vector<std::uint64_t> bitmap;
  };

  std::vector<Range> cpus_;
  std::uint64_t block_size_ = 0;
  std::optional<int> block_shift_;  // nothing: the size is no power of two
  std::vector<Blocks> blocks_;
};

}  // namespace perfsift::analysis
