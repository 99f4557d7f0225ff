#include "record/machine/topology.h"

#include <algorithm>

#include <fmt/format.h>

#include "record/machine/number_text.h"
#include "record/machine/online_cpus.h"

namespace perfsift::record {

namespace {

using reader::CacheLevel;
using reader::CpuTopology;

std::string topology_folder(const std::string& sysfs, std::uint32_t cpu) {
  return fmt::format("{}/devices/system/cpu/cpu{}/topology/", sysfs, cpu);
}

void add_new(std::vector<std::string>& list, std::string text) {
  if (!text.empty() && std::ranges::find(list, text) == list.end()) list.push_back(std::move(text));
}

// Files of newer kernels have names that say what they contain; older kernels have the second name.
std::string text_of_either(const std::string& path, const std::string& older) {
  auto text = text_of(path);
  return text.empty() ? text_of(older) : text;
}

void add_siblings(CpuTopology& topology, const std::string& folder) {
  add_new(topology.core_siblings, text_of_either(folder + "package_cpus_list", folder + "core_siblings_list"));
  add_new(topology.thread_siblings, text_of_either(folder + "core_cpus_list", folder + "thread_siblings_list"));
  add_new(topology.die_siblings, text_of(folder + "die_cpus_list"));
}

// perf writes dies of x86 and s390 only (has_die_topology()); other machines have files for dies, too, whose numbers
// are -1.
bool has_dies(const std::string& sysfs) {
  const std::string id = text_of(topology_folder(sysfs, 0) + "die_id");
  return !id.empty() && id != "-1";
}

std::int32_t id_of(const std::string& path) {
  const auto number = number_of(path);
  return number ? static_cast<std::int32_t>(*number) : -1;
}

std::optional<CacheLevel> read_cache(const std::string& folder) {
  const auto level = number_of(folder + "/level");
  if (!level) return std::nullopt;
  const auto field = [&](const char* name) {
    return static_cast<std::uint32_t>(number_of(folder + "/" + name).value_or(0));
  };
  return CacheLevel{.level = static_cast<std::uint32_t>(*level),
                    .line_size = field("coherency_line_size"),
                    .sets = field("number_of_sets"),
                    .ways = field("ways_of_associativity"),
                    .type = text_of(folder + "/type"),
                    .size = text_of(folder + "/size"),
                    .cpus = text_of(folder + "/shared_cpu_list")};
}

// The number in "Node 0 MemFree:   1234 kB".
std::uint64_t kilobytes(const std::string& meminfo, std::uint32_t node, const char* field) {
  const std::string_view value = value_of(meminfo, fmt::format("Node {} {}", node, field));
  return read_number(value.substr(0, value.find(' '))).value_or(0);
}

// The bitmap has a bit for each block up to the last; without blocks it has one bit, as perf writes it.
reader::MemoryNode read_memory(const std::string& folder, std::uint32_t node) {
  constexpr std::uint32_t most_blocks = 1u << 24;
  reader::MemoryNode memory{.node = node, .bitmap = {0}, .bits = 1};
  for (const std::uint32_t block : numbered_in(folder, "memory")) {
    if (block >= most_blocks) break;
    memory.bits = block + std::uint64_t{1};
    memory.bitmap.resize(block / 64 + 1);
    memory.bitmap[block / 64] |= std::uint64_t{1} << block % 64;
  }
  return memory;
}

}  // namespace

std::optional<std::uint32_t> present_cpu_count(const KernelRoots& roots) {
  const auto cpus = read_number_list(text_of(roots.sysfs + "/devices/system/cpu/present"));
  return !cpus || cpus->empty() ? std::nullopt : std::optional(std::ranges::max(*cpus) + 1);
}

std::optional<CpuTopology> cpu_topology(const KernelRoots& roots) {
  CpuTopology topology;
  for (const unsigned cpu : known_online_cpus(roots)) add_siblings(topology, topology_folder(roots.sysfs, cpu));
  if (topology.core_siblings.empty() && topology.thread_siblings.empty()) return std::nullopt;

  const bool dies = has_dies(roots.sysfs);
  if (!dies) topology.die_siblings.clear();
  for (std::uint32_t cpu = 0; cpu < present_cpu_count(roots).value_or(0); ++cpu) {
    const std::string folder = topology_folder(roots.sysfs, cpu);
    topology.cpus.push_back({.core = id_of(folder + "core_id"),
                             .socket = id_of(folder + "physical_package_id"),
                             .die = dies ? id_of(folder + "die_id") : -1});
  }
  return topology;
}

std::vector<CacheLevel> cpu_caches(const KernelRoots& roots) {
  std::vector<CacheLevel> caches;
  for (const unsigned cpu : known_online_cpus(roots)) {
    const std::string folder = fmt::format("{}/devices/system/cpu/cpu{}/cache", roots.sysfs, cpu);
    for (const std::uint32_t index : numbered_in(folder, "index")) {
      const auto cache = read_cache(fmt::format("{}/index{}", folder, index));
      if (cache && std::ranges::find(caches, *cache) == caches.end()) caches.push_back(*cache);
    }
  }
  std::ranges::stable_sort(caches, {}, &CacheLevel::level);
  return caches;
}

std::vector<reader::NumaNode> numa_nodes(const KernelRoots& roots) {
  const std::string nodes = roots.sysfs + "/devices/system/node";
  std::vector<reader::NumaNode> found;
  for (const std::uint32_t node : read_number_list(text_of(nodes + "/online")).value_or(std::vector<unsigned>())) {
    const std::string folder = fmt::format("{}/node{}", nodes, node);
    const std::string meminfo = text_of(folder + "/meminfo");
    found.push_back({.node = node,
                     .total_kb = kilobytes(meminfo, node, "MemTotal"),
                     .free_kb = kilobytes(meminfo, node, "MemFree"),
                     .cpus = text_of(folder + "/cpulist")});
  }
  return found;
}

std::optional<reader::MemoryTopology> memory_topology(const KernelRoots& roots) {
  const auto block_size = number_of(roots.sysfs + "/devices/system/memory/block_size_bytes", 16);
  if (!block_size) return std::nullopt;
  reader::MemoryTopology topology{.version = 1, .block_size = *block_size, .nodes = {}};
  const std::string nodes = roots.sysfs + "/devices/system/node";
  for (const std::uint32_t node : numbered_in(nodes, "node"))
    topology.nodes.push_back(read_memory(fmt::format("{}/node{}", nodes, node), node));
  return topology;
}

}  // namespace perfsift::record
