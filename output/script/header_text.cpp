#include "output/script/header_text.h"

#include <algorithm>
#include <string_view>

#include <sys/stat.h>
#include <unistd.h>

#include "base/duration.h"
#include "base/printable.h"
#include "base/size_text.h"
#include "output/script/attr_text.h"
#include "reader/features/feature_names.h"

namespace perfsift::output {
namespace {

using reader::Feature;
using reader::Features;

// The last feature that the perf of this style knows.
std::uint32_t last_feature(analysis::PerfStyle style) {
  return static_cast<std::uint32_t>(style == analysis::PerfStyle::perf_6_1 ? Feature::pmu_caps : Feature::cln_size);
}

void make_printable(std::string& text) { text = printable(text); }

Features with_printable_texts(Features features) {
  for (std::string* const text : {&features.hostname, &features.os_release, &features.version, &features.arch,
                                  &features.cpu_description, &features.cpu_id}) {
    make_printable(*text);
  }
  std::ranges::for_each(features.command_line, make_printable);
  for (reader::EventDescription& event : features.event_descriptions) make_printable(event.name);
  if (features.cpu_topology) {
    std::ranges::for_each(features.cpu_topology->core_siblings, make_printable);
    std::ranges::for_each(features.cpu_topology->die_siblings, make_printable);
    std::ranges::for_each(features.cpu_topology->thread_siblings, make_printable);
  }
  for (reader::NumaNode& node : features.numa_nodes) make_printable(node.cpus);
  for (reader::PmuMapping& pmu : features.pmu_mappings) make_printable(pmu.name);
  for (reader::EventGroup& group : features.groups) make_printable(group.name);
  for (reader::CacheLevel& cache : features.caches) {
    for (std::string* const text : {&cache.type, &cache.size, &cache.cpus}) make_printable(*text);
  }
  for (reader::BpfProgram& program : features.bpf_programs) make_printable(program.name);
  for (reader::PmuCapabilities& pmu : features.pmu_capabilities) {
    make_printable(pmu.pmu);
    for (auto& [name, value] : pmu.capabilities) make_printable(name), make_printable(value);
  }
  for (reader::HybridPmu& pmu : features.hybrid_topology) make_printable(pmu.pmu), make_printable(pmu.cpus);
  if (features.cpu_domains) {
    for (reader::CpuDomain& cpu : features.cpu_domains->cpus) {
      for (reader::CpuDomain::Level& level : cpu.levels) {
        for (std::string* const text : {&level.name, &level.cpu_mask, &level.cpu_list}) make_printable(*text);
      }
    }
  }
  return features;
}

// perf marks quotes in arguments, but quotes nothing.
void print_command_line(TextWriter& out, const Features& features) {
  out.text("# cmdline : ");
  for (const std::string& argument : features.command_line) {
    for (const char c : argument) out.text(c == '\'' ? std::string_view("\\'") : std::string_view(&c, 1));
    out.character(' ');
  }
  out.character('\n');
}

void print_events(TextWriter& out, const Features& features) {
  for (const reader::EventDescription& event : features.event_descriptions) {
    out.format("# event : name = {}, ", event.name);
    if (!event.ids.empty()) out.format(", id = {{ {} }}", fmt::join(event.ids, ", "));
    out.text(attr_text(event.attr));
    out.character('\n');
  }
}

void print_cpu_topology(TextWriter& out, const Features& features) {
  if (!features.cpu_topology) return;
  const reader::CpuTopology& topology = *features.cpu_topology;
  for (const std::string& cpus : topology.core_siblings) out.format("# sibling sockets : {}\n", cpus);
  for (const std::string& cpus : topology.die_siblings) out.format("# sibling dies    : {}\n", cpus);
  for (const std::string& cpus : topology.thread_siblings) out.format("# sibling threads : {}\n", cpus);
  const bool dies = !topology.die_siblings.empty();
  if (topology.cpus.empty()) {
    out.format("# Core ID{} and Socket ID information is not available\n", dies ? ", Die ID" : "");
  }
  for (std::size_t i = 0; i < topology.cpus.size(); ++i) {
    const reader::CpuTopology::Cpu& cpu = topology.cpus[i];
    out.format("# CPU {}: Core ID {}, ", i, cpu.core);
    if (dies) out.format("Die ID {}, ", cpu.die);
    out.format("Socket ID {}\n", cpu.socket);
  }
}

void print_numa_topology(TextWriter& out, const Features& features) {
  for (const reader::NumaNode& node : features.numa_nodes) {
    out.format("# node{} meminfo  : total = {} kB, free = {} kB\n", node.node, node.total_kb, node.free_kb);
    out.format("# node{} cpu list : {}\n", node.node, node.cpus);
  }
}

void print_pmu_mappings(TextWriter& out, const Features& features) {
  out.text("# pmu mappings: ");
  if (features.pmu_mappings.empty()) out.text("not available");
  bool first = true;
  for (const reader::PmuMapping& pmu : features.pmu_mappings) {
    out.format("{}{} = {}", first ? "" : ", ", pmu.name, pmu.type);
    first = false;
  }
  out.character('\n');
}

void print_groups(TextWriter& out, const Features& features, const Events& events) {
  for (const reader::EventGroup& group : features.groups) {
    if (group.members <= 1 || group.leader >= events.size()) continue;
    const std::size_t end = std::min<std::size_t>(events.size(), std::size_t{group.leader} + group.members);
    out.format("# group: {}{{", group.name == "{anon_group}" ? "" : group.name);
    for (std::size_t i = group.leader; i < end; ++i) {
      out.format("{}{}", i == group.leader ? "" : ",", printable(events[i]->name));
    }
    out.text("}\n");
  }
}

void print_caches(TextWriter& out, const Features& features) {
  out.text("# CPU cache info:\n");
  for (const reader::CacheLevel& cache : features.caches) {
    out.format("#  L{} {:<15} {:>8} [{}]\n", cache.level, cache.type, cache.size, cache.cpus);
  }
}

void print_sample_time(TextWriter& out, const Features& features) {
  if (!features.sample_time) return;
  const auto [first, last] = *features.sample_time;
  out.format("# time of first sample : {}\n", seconds_text(first));
  out.format("# time of last sample : {}\n", seconds_text(last));
  out.format("# sample duration : {:10.3f} ms\n", static_cast<double>(last - first) / 1e6);
}

// The blocks of memory a node has: "0-23,32-199".
std::string bitmap_text(const reader::MemoryNode& node) {
  const auto set = [&](std::uint64_t bit) {
    return bit / 64 < node.bitmap.size() && bit < node.bits && ((node.bitmap[bit / 64] >> (bit % 64)) & 1) != 0;
  };
  const std::uint64_t bits = std::min<std::uint64_t>(node.bits, node.bitmap.size() * 64);
  std::string text;
  for (std::uint64_t first = 0; first < bits; ++first) {
    if (!set(first)) continue;
    std::uint64_t last = first;
    while (set(last + 1)) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ",", first);
    if (last > first) text += fmt::format("-{}", last);
    first = last;
  }
  return text;
}

void print_memory_topology(TextWriter& out, const Features& features) {
  if (!features.memory_topology) return;
  const reader::MemoryTopology& memory = *features.memory_topology;
  out.format("# memory nodes (nr {}, block size 0x{:x}):\n", memory.nodes.size(), memory.block_size);
  for (const reader::MemoryNode& node : memory.nodes) {
    std::uint64_t blocks = 0;
    for (const std::uint64_t word : node.bitmap) blocks += static_cast<std::uint64_t>(__builtin_popcountll(word));
    out.format("#  {:3} [{}]: {}\n", node.node, size_text(blocks * memory.block_size), bitmap_text(node));
  }
}

std::string_view clock_name(std::uint32_t clock) {
  switch (clock) {
    case CLOCK_REALTIME:
      return "realtime";
    case CLOCK_MONOTONIC:
      return "monotonic";
    case CLOCK_MONOTONIC_RAW:
      return "monotonic_raw";
    case CLOCK_BOOTTIME:
      return "boottime";
    case CLOCK_TAI:
      return "tai";
    default:
      return "(not found)";
  }
}

void print_clock_data(TextWriter& out, const Features& features) {
  if (!features.clock_data) return out.text("# reference time disabled\n");
  const reader::ClockData& clock = *features.clock_data;
  const auto wall_seconds = static_cast<std::time_t>(clock.wall_ns / one_second);
  std::tm local{};
  char date[64] = "<error>";
  if (localtime_r(&wall_seconds, &local) != nullptr) std::strftime(date, sizeof date, "%F %T", &local);
  const std::uint64_t wall_us = clock.wall_ns % one_second / 1000;
  const std::string_view name = clock_name(clock.clock_id);
  out.format("# clockid: {} ({})\n", name, clock.clock_id);
  out.format("# reference time: {}.{:06} = {}.{:06} (TOD) = {}.{:09} ({})\n", date, wall_us, wall_seconds, wall_us,
             clock.clock_ns / one_second, clock.clock_ns % one_second, name);
}

void print_bpf_programs(TextWriter& out, const Features& features) {
  for (const reader::BpfProgram& program : features.bpf_programs) {
    const std::size_t count = program.ksyms.size();
    if (program.lengths.size() != count || program.tags.size() != count) continue;
    const auto name = [&](std::size_t i) {
      std::string text = "bpf_prog_";
      for (const std::byte byte : program.tags[i]) text += fmt::format("{:02x}", static_cast<unsigned>(byte));
      return text + "_" + (count == 1 && !program.name.empty() ? program.name : "F");
    };
    if (count == 1) {
      out.format("# bpf_prog_info {}: {} addr 0x{:x} size {}\n", program.id, name(0), program.ksyms[0],
                 program.lengths[0]);
      continue;
    }
    out.format("# bpf_prog_info {}:\n", program.id);
    for (std::size_t i = 0; i < count; ++i) {
      out.format("# \tsub_prog {}: {} addr 0x{:x} size {}\n", i, name(i), program.ksyms[i], program.lengths[i]);
    }
  }
}

void print_pmu_capabilities(TextWriter& out, const Features& features, bool of_cpu) {
  for (const reader::PmuCapabilities& pmu : features.pmu_capabilities) {
    if (pmu.pmu.empty() != of_cpu) continue;
    out.format("# {} pmu capabilities: ", of_cpu ? "cpu" : pmu.pmu);
    if (pmu.capabilities.empty()) out.text("not available");
    bool first = true;
    for (const auto& [name, value] : pmu.capabilities) {
      out.format("{}{}={}", first ? "" : ", ", name, value);
      first = false;
    }
    out.character('\n');
  }
}

void print_cpu_domains(TextWriter& out, const Features& features) {
  if (!features.cpu_domains) return;
  const reader::CpuDomains& domains = *features.cpu_domains;
  out.format("# schedstat version\t: {}\n", domains.schedstat_version);
  out.format("# Maximum sched domains\t: {}\n", domains.most_levels);
  for (const reader::CpuDomain& cpu : domains.cpus) {
    out.format("# cpu\t\t: {}\n# nr_domains\t: {}\n", cpu.cpu, cpu.levels.size());
    for (const reader::CpuDomain::Level& level : cpu.levels) {
      out.format("# Domain\t\t: {}\n", level.level);
      if (domains.has_names()) out.format("# Domain name      : {}\n", level.name);
      out.format("# Domain cpu map   : {}\n# Domain cpu list  : {}\n", level.cpu_mask, level.cpu_list);
    }
  }
}

void print_e_machine(TextWriter& out, const Features& features) {
  if (!features.e_machine) return;
  out.format("# e_machine : {}\n#   e_flags : {}\n", features.e_machine->first, features.e_machine->second);
}

// Whether perf shows the feature only with -I.
bool needs_full(Feature feature) {
  return feature == Feature::cpu_topology || feature == Feature::numa_topology || feature == Feature::cache ||
         feature == Feature::memory_topology || feature == Feature::hybrid_topology ||
         feature == Feature::cpu_domain_info;
}

void print_feature(TextWriter& out, Feature feature, const Features& features, const Events& events) {
  switch (feature) {
    case Feature::hostname:
      return out.format("# hostname : {}\n", features.hostname);
    case Feature::os_release:
      return out.format("# os release : {}\n", features.os_release);
    case Feature::version:
      return out.format("# perf version : {}\n", features.version);
    case Feature::arch:
      return out.format("# arch : {}\n", features.arch);
    case Feature::nr_cpus:
      return out.format("# nrcpus online : {}\n# nrcpus avail : {}\n", features.cpus_online.value_or(0),
                        features.cpus_available.value_or(0));
    case Feature::cpu_description:
      return out.format("# cpudesc : {}\n", features.cpu_description);
    case Feature::cpu_id:
      return out.format("# cpuid : {}\n", features.cpu_id);
    case Feature::total_memory:
      return out.format("# total memory : {} kB\n", features.total_memory_kb.value_or(0));
    case Feature::command_line:
      return print_command_line(out, features);
    case Feature::event_description:
      return print_events(out, features);
    case Feature::cpu_topology:
      return print_cpu_topology(out, features);
    case Feature::numa_topology:
      return print_numa_topology(out, features);
    case Feature::branch_stack:
      return out.text("# contains samples with branch stack\n");
    case Feature::pmu_mappings:
      return print_pmu_mappings(out, features);
    case Feature::group_description:
      return print_groups(out, features, events);
    case Feature::auxtrace:
      return out.text("# contains AUX area data (e.g. instruction trace)\n");
    case Feature::stat:
      return out.text("# contains stat data\n");
    case Feature::cache:
      return print_caches(out, features);
    case Feature::sample_time:
      return print_sample_time(out, features);
    case Feature::memory_topology:
      return print_memory_topology(out, features);
    case Feature::clock_id:
      return out.format("# clockid frequency: {} MHz\n", features.clock_resolution_ns.value_or(0) * 1000);
    case Feature::dir_format:
      return out.format("# directory data version : {}\n", features.dir_format.value_or(0));
    case Feature::bpf_prog_info:
      return print_bpf_programs(out, features);
    case Feature::bpf_btf:
      for (const reader::BpfBtf& btf : features.bpf_btfs) out.format("# btf info of id {}\n", btf.id);
      return;
    case Feature::compressed:
      if (!features.compression) return;
      return out.format("# compressed : {}, level = {}, ratio = {}\n",
                        features.compression->type == 1 ? "Zstd" : "Unknown", features.compression->level,
                        features.compression->ratio);
    case Feature::cpu_pmu_caps:
      return print_pmu_capabilities(out, features, true);
    case Feature::clock_data:
      return print_clock_data(out, features);
    case Feature::hybrid_topology:
      out.text("# hybrid cpu system:\n");
      for (const reader::HybridPmu& pmu : features.hybrid_topology) {
        out.format("# {} cpu list : {}\n", pmu.pmu, pmu.cpus);
      }
      return;
    case Feature::pmu_caps:
      return print_pmu_capabilities(out, features, false);
    case Feature::cpu_domain_info:
      return print_cpu_domains(out, features);
    case Feature::e_machine:
      return print_e_machine(out, features);
    case Feature::cln_size:
      return out.format("# cacheline size: {}\n", features.cache_line_size.value_or(0));
    case Feature::tracing_data:
    case Feature::build_id:
      return;  // have no text
  }
}

// Features that are newer than perf 6.1 count as missing only if the writer knew them.
void print_missing_features(TextWriter& out, const Features& features, analysis::PerfStyle style) {
  std::uint32_t last = last_feature(analysis::PerfStyle::perf_6_1);
  if (std::ranges::any_of(features.present, [&](std::uint32_t number) { return number > last; })) {
    last = last_feature(style);
  }
  out.text("# missing features: ");
  for (std::uint32_t number = 1; number <= last; ++number) {
    if (!std::ranges::binary_search(features.present, number)) out.format("{} ", reader::feature_name(number));
  }
  out.character('\n');
}

}  // namespace

std::time_t modification_time(const std::string& path) {
  struct stat status {};
  if (path == "-") return fstat(STDIN_FILENO, &status) == 0 ? status.st_mtime : 0;
  if (stat(path.c_str(), &status) != 0) return 0;
  // For a recording in a directory, the file with the header counts.
  if (S_ISDIR(status.st_mode) && stat((path + "/data").c_str(), &status) != 0) return 0;
  return status.st_mtime;
}

void print_features(TextWriter& out, const Features& recorded, const Events& events, analysis::PerfStyle style,
                    bool full) {
  const Features features = with_printable_texts(recorded);
  for (const std::uint32_t number : features.present) {
    if (number == 0 || number > last_feature(style)) continue;
    const auto feature = static_cast<Feature>(number);
    if (needs_full(feature) && !full) {
      out.format("# {} info available, use -I to display\n", reader::feature_name(number));
    } else {
      print_feature(out, feature, features, events);
    }
  }
}

void print_header(TextWriter& out, const reader::FileHeader& header, const Features& features, const Events& events,
                  std::time_t captured, analysis::PerfStyle style, bool full) {
  char date[26] = "\n";
  ctime_r(&captured, date);
  out.format("# ========\n# captured on    : {}", date);
  out.format("# header version : {}\n", header.version - 1);  // perf counts from 0
  // The pipe form has no sections: perf leaves these zero.
  const std::uint64_t data_offset = header.pipe ? 0 : header.data_offset;
  const std::uint64_t data_size = header.pipe ? 0 : header.data_size;
  out.format("# data offset    : {}\n# data size      : {}\n", data_offset, data_size);
  out.format("# feat offset    : {}\n", data_offset + data_size);
  if (!header.pipe) {
    print_features(out, features, events, style, full);
    print_missing_features(out, features, style);
  }
  out.text("# ========\n#\n");
}

}  // namespace perfsift::output
