#include "reader/writer/features/features.h"

#include <algorithm>

#include "reader/writer/build_id_record.h"
#include "reader/writer/features/sections.h"

namespace perfsift::reader {

namespace {

// The functions below return whether the feature is there; if so, they have added its section to `out`.

bool put_if_named(ByteWriter& out, std::string_view text) {
  if (!text.empty()) put_string(out, text);
  return !text.empty();
}

template <typename List, typename Put>
bool put_if_filled(const List& list, Put put) {
  if (!list.empty()) put(list);
  return !list.empty();
}

template <typename Value, typename Put>
bool put_if_known(const std::optional<Value>& value, Put put) {
  if (value) put(*value);
  return value.has_value();
}

bool put_cpu_counts(ByteWriter& out, const Features& features) {
  if (!features.cpus_available || !features.cpus_online) return false;
  out.u32(*features.cpus_available).u32(*features.cpus_online);
  return true;
}

bool put_capabilities_of_cpu(ByteWriter& out, const Features& features) {
  const auto& pmus = features.pmu_capabilities;
  const bool has = !pmus.empty() && pmus.front().pmu.empty();
  if (has) put_cpu_pmu_capabilities(out, pmus.front());
  return has;
}

bool put_capabilities_of_others(ByteWriter& out, const Features& features) {
  const auto& pmus = features.pmu_capabilities;
  const bool has = std::ranges::any_of(pmus, [](const PmuCapabilities& pmu) { return !pmu.pmu.empty(); });
  if (has) put_pmu_capabilities(out, pmus);
  return has;
}

// Features of the machine.
bool put_machine(Feature which, ByteWriter& out, const Features& f) {
  switch (which) {
    case Feature::hostname:
      return put_if_named(out, f.hostname);
    case Feature::os_release:
      return put_if_named(out, f.os_release);
    case Feature::arch:
      return put_if_named(out, f.arch);
    case Feature::nr_cpus:
      return put_cpu_counts(out, f);
    case Feature::cpu_description:
      return put_if_named(out, f.cpu_description);
    case Feature::cpu_id:
      return put_if_named(out, f.cpu_id);
    case Feature::total_memory:
      return put_if_known(f.total_memory_kb, [&](auto size) { out.u64(size); });
    case Feature::cpu_topology:
      return put_if_known(f.cpu_topology, [&](const auto& topology) { put_cpu_topology(out, topology); });
    case Feature::numa_topology:
      return put_if_filled(f.numa_nodes, [&](const auto& nodes) { put_numa_topology(out, nodes); });
    case Feature::pmu_mappings:
      return put_if_filled(f.pmu_mappings, [&](const auto& mappings) { put_pmu_mappings(out, mappings); });
    case Feature::cache:
      return put_if_filled(f.caches, [&](const auto& caches) { put_caches(out, caches); });
    case Feature::memory_topology:
      return put_if_known(f.memory_topology, [&](const auto& topology) { put_memory_topology(out, topology); });
    case Feature::cpu_pmu_caps:
      return put_capabilities_of_cpu(out, f);
    case Feature::pmu_caps:
      return put_capabilities_of_others(out, f);
    case Feature::hybrid_topology:
      return put_if_filled(f.hybrid_topology, [&](const auto& pmus) { put_hybrid_topology(out, pmus); });
    case Feature::cpu_domain_info:
      return put_if_known(f.cpu_domains, [&](const auto& domains) { put_cpu_domains(out, domains); });
    case Feature::e_machine:
      return put_if_known(f.e_machine, [&](const auto& machine) { out.u32(machine.first).u32(machine.second); });
    case Feature::cln_size:
      return put_if_known(f.cache_line_size, [&](auto size) { out.u32(static_cast<std::uint32_t>(size)); });
    default:
      return false;
  }
}

// Features of the run, its files and its clocks.
bool put_run(Feature which, ByteWriter& out, const Features& f, ByteOrder order) {
  switch (which) {
    case Feature::version:
      return put_if_named(out, f.version);
    case Feature::command_line:
      return put_if_filled(f.command_line, [&](const auto& arguments) { put_strings(out, arguments); });
    case Feature::event_description:
      return put_if_filled(f.event_descriptions, [&](const auto& all) { put_event_descriptions(out, all, order); });
    case Feature::group_description:
      return put_if_filled(f.groups, [&](const auto& groups) { put_groups(out, groups); });
    case Feature::branch_stack:
      return f.branch_stack;
    case Feature::stat:
      return f.stat;
    case Feature::tracing_data:
      return put_if_filled(f.tracing_data, [&](const auto& data) { out.bytes(data); });
    case Feature::build_id:
      return put_if_filled(f.build_ids, [&](const auto& entries) { put_build_ids(out, entries, order); });
    case Feature::auxtrace:
      return put_if_filled(f.auxtrace_index, [&](const auto& index) {
        out.u64(index.size());
        for (const auto& entry : index) out.u64(entry.file_offset).u64(entry.size);
      });
    case Feature::sample_time:
      return put_if_known(f.sample_time, [&](const auto& time) { out.u64(time.first).u64(time.second); });
    case Feature::clock_id:
      return put_if_known(f.clock_resolution_ns, [&](auto resolution) { out.u64(resolution); });
    case Feature::clock_data:
      return put_if_known(f.clock_data, [&](const ClockData& clock) {
        out.u32(clock.version).u32(clock.clock_id).u64(clock.wall_ns).u64(clock.clock_ns);
      });
    case Feature::dir_format:
      return put_if_known(f.dir_format, [&](auto format) { out.u64(format); });
    case Feature::compressed:
      return put_if_known(f.compression, [&](const Compression& c) {
        out.u32(c.version).u32(c.type).u32(c.level).u32(c.ratio).u32(c.mmap_len);
      });
    case Feature::bpf_prog_info:
      return put_if_filled(f.bpf_programs, [&](const auto& programs) { put_bpf_programs(out, programs, order); });
    case Feature::bpf_btf:
      return put_if_filled(f.bpf_btfs, [&](const auto& btfs) { put_bpf_btfs(out, btfs); });
    default:
      return false;
  }
}

}  // namespace

void put_string(ByteWriter& out, std::string_view text) {
  constexpr std::size_t alignment = 64;
  const std::size_t size = (text.size() / alignment + 1) * alignment;  // at least one NUL
  out.u32(static_cast<std::uint32_t>(size)).text(text).zeros(size - text.size());
}

void put_strings(ByteWriter& out, const std::vector<std::string>& texts) {
  out.u32(count_of(texts));
  for (const auto& text : texts) put_string(out, text);
}

void put_build_ids(ByteWriter& out, const std::vector<BuildIdEntry>& entries, ByteOrder order) {
  for (const auto& entry : entries) out.bytes(build_id_record(entry, order));
}

std::optional<std::vector<std::byte>> encode_feature(Feature which, const Features& features, ByteOrder order) {
  ByteWriter out(order);
  if (!put_machine(which, out, features) && !put_run(which, out, features, order)) return std::nullopt;
  return out.take();
}

std::map<std::uint32_t, std::vector<std::byte>> encode_features(const Features& features, ByteOrder order) {
  std::map<std::uint32_t, std::vector<std::byte>> sections;
  for (std::uint32_t number = 1; number <= last_known_feature; ++number) {
    if (auto section = encode_feature(static_cast<Feature>(number), features, order))
      sections.emplace(number, std::move(*section));
  }
  return sections;
}

}  // namespace perfsift::reader
