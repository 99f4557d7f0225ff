// Encoders of the sections that are more than a few numbers: the twins of reader/features/sections.h.
#pragma once

#include <string_view>
#include <vector>

#include "reader/features/features.h"
#include "reader/writer/byte_writer.h"

namespace perfsift::reader {

// perf_header_string: a length, then as many bytes. perf pads to 64 bytes (NAME_ALIGN).
void put_string(ByteWriter& out, std::string_view text);
void put_strings(ByteWriter& out, const std::vector<std::string>& texts);

void put_event_descriptions(ByteWriter& out, const std::vector<EventDescription>& events, ByteOrder order);
void put_groups(ByteWriter& out, const std::vector<EventGroup>& groups);
void put_pmu_mappings(ByteWriter& out, const std::vector<PmuMapping>& mappings);
// CPU_PMU_CAPS: of the PMU without a name. PMU_CAPS: of the others.
void put_cpu_pmu_capabilities(ByteWriter& out, const PmuCapabilities& pmu);
void put_pmu_capabilities(ByteWriter& out, const std::vector<PmuCapabilities>& pmus);

void put_cpu_topology(ByteWriter& out, const CpuTopology& topology);
void put_numa_topology(ByteWriter& out, const std::vector<NumaNode>& nodes);
void put_hybrid_topology(ByteWriter& out, const std::vector<HybridPmu>& pmus);
void put_cpu_domains(ByteWriter& out, const CpuDomains& domains);
void put_caches(ByteWriter& out, const std::vector<CacheLevel>& caches);
void put_memory_topology(ByteWriter& out, const MemoryTopology& topology);

void put_bpf_programs(ByteWriter& out, const std::vector<BpfProgram>& programs, ByteOrder order);
void put_bpf_btfs(ByteWriter& out, const std::vector<BpfBtf>& btfs);
void put_build_ids(ByteWriter& out, const std::vector<BuildIdEntry>& entries, ByteOrder order);

inline std::uint32_t count_of(const auto& list) { return static_cast<std::uint32_t>(list.size()); }

}  // namespace perfsift::reader
