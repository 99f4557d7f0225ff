// The header and its feature sections: what the recording says about the machine and the run.
//
// Every section has a decoded form. A section that cannot be decoded is listed in `malformed`, an unknown section in
// `unknown`; neither stops the decoding of others. The layouts are those of the write_*() functions in
// tools/perf/util/header.c.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/binary.h"
#include "reader/format/event.h"
#include "reader/format/record.h"

namespace perfsift::reader {

struct FileHeader {
  ByteOrder order = ByteOrder::native;
  bool pipe = false;
  unsigned version = 2;         // 1: PERFFILE, 2: PERFILE2
  std::uint64_t size = 0;       // of the header, as written
  std::uint64_t attr_size = 0;  // stride of the attr table
  std::uint64_t attrs_offset = 0, attrs_size = 0;
  std::uint64_t data_offset = 0, data_size = 0;
  std::bitset<256> features;
};

struct BuildIdEntry {
  std::int32_t pid = -1;
  CpuMode mode = CpuMode::unknown;
  BuildId build_id;
  std::string path;
  bool operator==(const BuildIdEntry&) const = default;
};

struct EventDescription {
  EventAttr attr;
  std::string name;
  std::vector<std::uint64_t> ids;
  bool operator==(const EventDescription&) const = default;
};

struct CpuTopology {
  std::vector<std::string> core_siblings;  // CPU lists, "0-3"
  std::vector<std::string> thread_siblings;
  std::vector<std::string> die_siblings;
  struct Cpu {
    std::int32_t core = -1, socket = -1, die = -1;
    bool operator==(const Cpu&) const = default;
  };
  std::vector<Cpu> cpus;
  bool operator==(const CpuTopology&) const = default;
};

struct NumaNode {
  std::uint32_t node = 0;
  std::uint64_t total_kb = 0, free_kb = 0;
  std::string cpus;
  bool operator==(const NumaNode&) const = default;
};

struct CacheLevel {
  std::uint32_t level = 0, line_size = 0, sets = 0, ways = 0;
  std::string type, size, cpus;
  bool operator==(const CacheLevel&) const = default;
};

struct MemoryNode {
  std::uint64_t node = 0;
  std::vector<std::uint64_t> bitmap;  // of memory blocks
  std::uint64_t bits = 0;
  bool operator==(const MemoryNode&) const = default;
};

struct MemoryTopology {
  std::uint64_t version = 0, block_size = 0;
  std::vector<MemoryNode> nodes;
  bool operator==(const MemoryTopology&) const = default;
};

struct PmuMapping {
  std::uint32_t type = 0;
  std::string name;
  bool operator==(const PmuMapping&) const = default;
};

struct EventGroup {
  std::string name;
  std::uint32_t leader = 0;
  std::uint32_t members = 0;
  bool operator==(const EventGroup&) const = default;
};

struct ClockData {
  std::uint32_t version = 0, clock_id = 0;
  std::uint64_t wall_ns = 0, clock_ns = 0;
  bool operator==(const ClockData&) const = default;
};

struct Compression {
  std::uint32_t version = 0, type = 0, level = 0, ratio = 0, mmap_len = 0;
  bool operator==(const Compression&) const = default;
};

struct PmuCapabilities {
  std::string pmu;  // empty: the CPU's own PMU, of CPU_PMU_CAPS
  std::vector<std::pair<std::string, std::string>> capabilities;
  bool operator==(const PmuCapabilities&) const = default;
};

struct HybridPmu {
  std::string pmu, cpus;
  bool operator==(const HybridPmu&) const = default;
};

struct BpfProgram {
  std::uint32_t type = 0, id = 0;
  std::string name;
  std::vector<std::uint64_t> ksyms;
  std::vector<std::uint32_t> lengths;
  std::vector<std::array<std::byte, 8>> tags;
  bool operator==(const BpfProgram&) const = default;
};

struct BpfBtf {
  std::uint32_t id = 0;
  std::vector<std::byte> data;
  bool operator==(const BpfBtf&) const = default;
};

// The domains over which the scheduler balances load (/proc/schedstat).
struct CpuDomain {
  std::uint32_t cpu = 0;
  struct Level {
    std::uint32_t level = 0;
    std::string name, cpu_mask, cpu_list;
    bool operator==(const Level&) const = default;
  };
  std::vector<Level> levels;
  bool operator==(const CpuDomain&) const = default;
};

struct CpuDomains {
  std::uint32_t schedstat_version = 0;  // domains have names since 17
  std::uint32_t most_levels = 0;        // of any CPU
  std::vector<CpuDomain> cpus;

  static constexpr std::uint32_t first_with_names = 17;
  bool has_names() const { return schedstat_version >= first_with_names; }
  bool operator==(const CpuDomains&) const = default;
};

struct AuxtraceIndexEntry {
  std::uint64_t file_offset = 0, size = 0;
  bool operator==(const AuxtraceIndexEntry&) const = default;
};

struct Features {
  std::string hostname, os_release, version, arch, cpu_description, cpu_id;
  std::optional<std::uint32_t> cpus_available, cpus_online;
  std::optional<std::uint64_t> total_memory_kb;
  std::vector<std::string> command_line;
  std::vector<BuildIdEntry> build_ids;
  std::vector<EventDescription> event_descriptions;
  std::optional<CpuTopology> cpu_topology;
  std::vector<NumaNode> numa_nodes;
  bool branch_stack = false, stat = false;
  std::vector<PmuMapping> pmu_mappings;
  std::vector<EventGroup> groups;
  std::vector<AuxtraceIndexEntry> auxtrace_index;
  std::vector<CacheLevel> caches;
  std::optional<std::pair<std::uint64_t, std::uint64_t>> sample_time;  // first, last
  std::optional<MemoryTopology> memory_topology;
  std::optional<std::uint64_t> clock_resolution_ns;
  std::optional<std::uint64_t> dir_format;
  std::vector<BpfProgram> bpf_programs;
  std::vector<BpfBtf> bpf_btfs;
  std::optional<Compression> compression;
  std::vector<PmuCapabilities> pmu_capabilities;  // CPU_PMU_CAPS (first, pmu empty) and PMU_CAPS
  std::optional<ClockData> clock_data;
  std::vector<HybridPmu> hybrid_topology;
  std::optional<CpuDomains> cpu_domains;
  std::optional<std::pair<std::uint32_t, std::uint32_t>> e_machine;  // e_machine, e_flags
  std::optional<std::uint64_t> cache_line_size;
  std::vector<std::byte> tracing_data;  // as written by perf (trace-event-info.c); see TracepointFormats

  std::vector<std::uint32_t> present;    // feature numbers, ascending
  std::vector<std::uint32_t> unknown;    // those that are unknown here
  std::vector<std::uint32_t> malformed;  // those that could not be decoded
  bool operator==(const Features&) const = default;
};

// Decodes one section, or the payload of a HEADER_FEATURE record after its feat_id, into `features`.
void decode_feature(std::uint32_t number, Bytes bytes, ByteOrder order, Features& features);

// Decodes a HEADER_BUILD_ID record, or one entry of the BUILD_ID section.
std::optional<BuildIdEntry> decode_build_id(const Record& record);

}  // namespace perfsift::reader
