// Decoders of the sections that are more than a few numbers. Each reads as far as it can; the caller asks the
// ByteReader whether all bytes were there.
#pragma once

#include <cstdint>
#include <vector>

#include "base/byte_reader.h"
#include "reader/features/features.h"

namespace perfsift::reader {

std::vector<EventDescription> read_event_descriptions(ByteReader& in);
std::vector<EventGroup> read_groups(ByteReader& in);
std::vector<PmuMapping> read_pmu_mappings(ByteReader& in);
PmuCapabilities read_cpu_pmu_capabilities(ByteReader& in);
std::vector<PmuCapabilities> read_pmu_capabilities(ByteReader& in);

// `cpus`: the number of available CPUs of NRCPUS, which the section does not repeat.
CpuTopology read_cpu_topology(ByteReader& in, std::uint32_t cpus);
std::vector<NumaNode> read_numa_topology(ByteReader& in);
std::vector<HybridPmu> read_hybrid_topology(ByteReader& in);
CpuDomains read_cpu_domains(ByteReader& in);
std::vector<CacheLevel> read_caches(ByteReader& in);
MemoryTopology read_memory_topology(ByteReader& in);

std::vector<BpfProgram> read_bpf_programs(ByteReader& in);
std::vector<BpfBtf> read_bpf_btfs(ByteReader& in);

std::vector<BuildIdEntry> read_build_ids(ByteReader& in);

}  // namespace perfsift::reader
