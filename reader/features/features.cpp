#include "reader/features/features.h"

#include <algorithm>

#include "reader/features/sections.h"
#include "reader/features/strings.h"

namespace perfsift::reader {

namespace {

// Stores a value that was read from `in` if all its bytes were there. (The value is an argument, so it has been read
// before.)
template <typename Field, typename Value>
bool set_if_whole(const ByteReader& in, Field& field, Value&& value) {
  if (in.ok()) field = std::forward<Value>(value);
  return in.ok();
}

bool decode_cpu_counts(ByteReader& in, Features& features) {
  const std::uint32_t available = in.u32(), online = in.u32();
  return set_if_whole(in, features.cpus_available, available) && set_if_whole(in, features.cpus_online, online);
}

std::vector<AuxtraceIndexEntry> read_auxtrace_index(ByteReader& in) {
  return read_list(in, in.u64(), [](ByteReader& entry) {
    return AuxtraceIndexEntry{.file_offset = entry.u64(), .size = entry.u64()};
  });
}

std::pair<std::uint64_t, std::uint64_t> read_sample_time(ByteReader& in) {
  const std::uint64_t first = in.u64();
  return {first, in.u64()};
}

Compression read_compression(ByteReader& in) {
  return {.version = in.u32(), .type = in.u32(), .level = in.u32(), .ratio = in.u32(), .mmap_len = in.u32()};
}

ClockData read_clock_data(ByteReader& in) {
  const std::uint32_t version = in.u32();
  if (version != 1) in.fail();
  return {.version = version, .clock_id = in.u32(), .wall_ns = in.u64(), .clock_ns = in.u64()};
}

std::pair<std::uint32_t, std::uint32_t> read_e_machine(ByteReader& in) {
  const std::uint32_t machine = in.u32();
  return {machine, in.u32()};
}

// The CPU's own PMU comes first, other PMUs follow, whichever section was read first.
bool decode_cpu_pmu_capabilities(ByteReader& in, Features& features) {
  auto pmu = read_cpu_pmu_capabilities(in);
  if (!in.ok()) return false;
  std::erase_if(features.pmu_capabilities, [](const PmuCapabilities& one) { return one.pmu.empty(); });
  features.pmu_capabilities.insert(features.pmu_capabilities.begin(), std::move(pmu));
  return true;
}

bool decode_pmu_capabilities(ByteReader& in, Features& features) {
  auto pmus = read_pmu_capabilities(in);
  if (!in.ok()) return false;
  std::erase_if(features.pmu_capabilities, [](const PmuCapabilities& one) { return !one.pmu.empty(); });
  std::ranges::move(pmus, std::back_inserter(features.pmu_capabilities));
  return true;
}

// Each entry is independent, so entries before a damaged entry are kept.
bool decode_build_ids(ByteReader& in, Features& features) {
  features.build_ids = read_build_ids(in);
  return in.ok();
}

bool decode_tracing_data(ByteReader& in, Features& features) {
  const Bytes data = in.rest();
  features.tracing_data.assign(data.begin(), data.end());
  return true;
}

bool decode_known(Feature feature, ByteReader& in, Features& f) {
  switch (feature) {
    case Feature::tracing_data:
      return decode_tracing_data(in, f);
    case Feature::build_id:
      return decode_build_ids(in, f);
    case Feature::hostname:
      return set_if_whole(in, f.hostname, read_string(in));
    case Feature::os_release:
      return set_if_whole(in, f.os_release, read_string(in));
    case Feature::version:
      return set_if_whole(in, f.version, read_string(in));
    case Feature::arch:
      return set_if_whole(in, f.arch, read_string(in));
    case Feature::nr_cpus:
      return decode_cpu_counts(in, f);
    case Feature::cpu_description:
      return set_if_whole(in, f.cpu_description, read_string(in));
    case Feature::cpu_id:
      return set_if_whole(in, f.cpu_id, read_string(in));
    case Feature::total_memory:
      return set_if_whole(in, f.total_memory_kb, in.u64());
    case Feature::command_line:
      return set_if_whole(in, f.command_line, read_strings(in));
    case Feature::event_description:
      return set_if_whole(in, f.event_descriptions, read_event_descriptions(in));
    case Feature::cpu_topology:
      return set_if_whole(in, f.cpu_topology, read_cpu_topology(in, f.cpus_available.value_or(0)));
    case Feature::numa_topology:
      return set_if_whole(in, f.numa_nodes, read_numa_topology(in));
    case Feature::branch_stack:
      return f.branch_stack = true;
    case Feature::pmu_mappings:
      return set_if_whole(in, f.pmu_mappings, read_pmu_mappings(in));
    case Feature::group_description:
      return set_if_whole(in, f.groups, read_groups(in));
    case Feature::auxtrace:
      return set_if_whole(in, f.auxtrace_index, read_auxtrace_index(in));
    case Feature::stat:
      return f.stat = true;
    case Feature::cache:
      return set_if_whole(in, f.caches, read_caches(in));
    case Feature::sample_time:
      return set_if_whole(in, f.sample_time, read_sample_time(in));
    case Feature::memory_topology:
      return set_if_whole(in, f.memory_topology, read_memory_topology(in));
    case Feature::clock_id:
      return set_if_whole(in, f.clock_resolution_ns, in.u64());
    case Feature::dir_format:
      return set_if_whole(in, f.dir_format, in.u64());
    case Feature::bpf_prog_info:
      return set_if_whole(in, f.bpf_programs, read_bpf_programs(in));
    case Feature::bpf_btf:
      return set_if_whole(in, f.bpf_btfs, read_bpf_btfs(in));
    case Feature::compressed:
      return set_if_whole(in, f.compression, read_compression(in));
    case Feature::cpu_pmu_caps:
      return decode_cpu_pmu_capabilities(in, f);
    case Feature::clock_data:
      return set_if_whole(in, f.clock_data, read_clock_data(in));
    case Feature::hybrid_topology:
      return set_if_whole(in, f.hybrid_topology, read_hybrid_topology(in));
    case Feature::pmu_caps:
      return decode_pmu_capabilities(in, f);
    case Feature::cpu_domain_info:
      return set_if_whole(in, f.cpu_domains, read_cpu_domains(in));
    case Feature::e_machine:
      return set_if_whole(in, f.e_machine, read_e_machine(in));
    case Feature::cln_size:
      return set_if_whole(in, f.cache_line_size, in.u32());
  }
  return false;
}

bool known(std::uint32_t number) { return number >= 1 && number <= last_known_feature; }

// Keeps the list ascending and without duplicates: a pipe may bring a feature twice.
void add(std::vector<std::uint32_t>& numbers, std::uint32_t number) {
  const auto at = std::ranges::lower_bound(numbers, number);
  if (at == numbers.end() || *at != number) numbers.insert(at, number);
}

}  // namespace

void decode_feature(std::uint32_t number, Bytes bytes, ByteOrder order, Features& features) {
  add(features.present, number);
  if (!known(number)) return add(features.unknown, number);
  ByteReader in(bytes, order);
  const bool decoded = decode_known(static_cast<Feature>(number), in, features);
  // An empty section is no damage: old perf wrote one when it could not find out the value (write_cpudesc() on Arm).
  if (!decoded && !bytes.empty()) add(features.malformed, number);
}

}  // namespace perfsift::reader
