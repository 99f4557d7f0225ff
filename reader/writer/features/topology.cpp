// CPU_TOPOLOGY, NUMA_TOPOLOGY, HYBRID_TOPOLOGY, CPU_DOMAIN_INFO, CACHE, MEM_TOPOLOGY: the machine.
#include "reader/writer/features/sections.h"

namespace perfsift::reader {

void put_cpu_topology(ByteWriter& out, const CpuTopology& topology) {
  const auto put_id = [&](std::int32_t id) { out.u32(static_cast<std::uint32_t>(id)); };
  put_strings(out, topology.core_siblings);
  put_strings(out, topology.thread_siblings);
  for (const auto& cpu : topology.cpus) put_id(cpu.core), put_id(cpu.socket);
  if (topology.die_siblings.empty()) return;
  put_strings(out, topology.die_siblings);
  for (const auto& cpu : topology.cpus) put_id(cpu.die);
}

void put_numa_topology(ByteWriter& out, const std::vector<NumaNode>& nodes) {
  out.u32(count_of(nodes));
  for (const auto& node : nodes) put_string(out.u32(node.node).u64(node.total_kb).u64(node.free_kb), node.cpus);
}

void put_hybrid_topology(ByteWriter& out, const std::vector<HybridPmu>& pmus) {
  out.u32(count_of(pmus));
  for (const auto& pmu : pmus) {
    put_string(out, pmu.pmu);
    put_string(out, pmu.cpus);
  }
}

void put_cpu_domains(ByteWriter& out, const CpuDomains& domains) {
  out.u32(domains.schedstat_version).u32(domains.most_levels);
  for (const auto& cpu : domains.cpus) {
    out.u32(cpu.cpu).u32(count_of(cpu.levels));
    for (const auto& level : cpu.levels) {
      out.u32(level.level);
      if (domains.has_names()) put_string(out, level.name);
      put_string(out, level.cpu_mask);
      put_string(out, level.cpu_list);
    }
  }
}

void put_caches(ByteWriter& out, const std::vector<CacheLevel>& caches) {
  constexpr std::uint32_t version = 1;
  out.u32(version).u32(count_of(caches));
  for (const auto& cache : caches) {
    out.u32(cache.level).u32(cache.line_size).u32(cache.sets).u32(cache.ways);
    put_string(out, cache.type);
    put_string(out, cache.size);
    put_string(out, cache.cpus);
  }
}

// The number of bits comes twice: as the node's size, and in front of the bitmap (do_write_bitmap()).
void put_memory_topology(ByteWriter& out, const MemoryTopology& topology) {
  out.u64(topology.version).u64(topology.block_size).u64(topology.nodes.size());
  for (const auto& node : topology.nodes) {
    out.u64(node.node).u64(node.bits).u64(node.bits);
    for (const std::uint64_t word : node.bitmap) out.u64(word);
  }
}

}  // namespace perfsift::reader
