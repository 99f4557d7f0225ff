// CPU_TOPOLOGY, NUMA_TOPOLOGY, HYBRID_TOPOLOGY, CPU_DOMAIN_INFO, CACHE, MEM_TOPOLOGY: the machine.
#include "reader/features/sections.h"
#include "reader/features/strings.h"

namespace perfsift::reader {

// The section grew twice: by core and socket ids, then by dies. An older section ends earlier.
CpuTopology read_cpu_topology(ByteReader& in, std::uint32_t cpus) {
  CpuTopology topology;
  topology.core_siblings = read_strings(in);
  topology.thread_siblings = read_strings(in);
  if (in.remaining() == 0) return topology;

  topology.cpus =
      read_list(in, cpus, [](ByteReader& cpu) { return CpuTopology::Cpu{.core = cpu.i32(), .socket = cpu.i32()}; });
  if (in.remaining() == 0) return topology;

  topology.die_siblings = read_strings(in);
  for (auto& cpu : topology.cpus) cpu.die = in.i32();
  return topology;
}

std::vector<NumaNode> read_numa_topology(ByteReader& in) {
  return read_list(in, in.u32(), [](ByteReader& node) {
    return NumaNode{.node = node.u32(), .total_kb = node.u64(), .free_kb = node.u64(), .cpus = read_string(node)};
  });
}

std::vector<HybridPmu> read_hybrid_topology(ByteReader& in) {
  return read_list(in, in.u32(),
                   [](ByteReader& node) { return HybridPmu{.pmu = read_string(node), .cpus = read_string(node)}; });
}

// The section has no number of CPUs: entries follow to the end. Domains have names since version 17 of /proc/schedstat.
CpuDomains read_cpu_domains(ByteReader& in) {
  CpuDomains domains{.schedstat_version = in.u32(), .most_levels = in.u32(), .cpus = {}};
  const auto read_level = [named = domains.has_names()](ByteReader& level) {
    return CpuDomain::Level{.level = level.u32(),
                            .name = named ? read_string(level) : std::string(),
                            .cpu_mask = read_string(level),
                            .cpu_list = read_string(level)};
  };
  while (in.remaining() >= 8) {
    const std::uint32_t cpu = in.u32();
    domains.cpus.push_back({.cpu = cpu, .levels = read_list(in, in.u32(), read_level)});
  }
  return domains;
}

std::vector<CacheLevel> read_caches(ByteReader& in) {
  if (const std::uint32_t version = in.u32(); version != 1) return in.fail(), std::vector<CacheLevel>{};
  return read_list(in, in.u32(), [](ByteReader& cache) {
    return CacheLevel{.level = cache.u32(),
                      .line_size = cache.u32(),
                      .sets = cache.u32(),
                      .ways = cache.u32(),
                      .type = read_string(cache),
                      .size = read_string(cache),
                      .cpus = read_string(cache)};
  });
}

MemoryTopology read_memory_topology(ByteReader& in) {
  MemoryTopology topology;
  topology.version = in.u64();
  if (topology.version != 1) return in.fail(), topology;
  topology.block_size = in.u64();
  topology.nodes = read_list(in, in.u64(), [](ByteReader& node) {
    MemoryNode memory;
    memory.node = node.u64();
    node.skip(8);  // the size again, as the writer's sysfs gave it
    memory.bits = node.u64();
    const std::uint64_t words = memory.bits / 64 + (memory.bits % 64 != 0 ? 1 : 0);
    memory.bitmap = read_u64s(node, words);
    return memory;
  });
  return topology;
}

}  // namespace perfsift::reader
