#include "tools/memory/memory_keys.h"

#include <algorithm>
#include <optional>
#include <sstream>

#include <fmt/format.h>

#include "analysis/memory/memory_collector.h"
#include "base/error.h"
#include "tools/refused_keys.h"

namespace perfsift::tools {
namespace {

using analysis::MemoryKey;

// perf has two names for some keys. weight and ins_lat of perf show the average of a row; perfsift has
// percentiles for that.
constexpr std::pair<std::string_view, MemoryKey> other_names[] = {
    {"sym", MemoryKey::symbol},
    {"level", MemoryKey::level},
    {"weight", MemoryKey::local_weight},
    {"ins_lat", MemoryKey::local_ins_lat},
    {"thread", MemoryKey::pid},
    {"local_retire_lat", MemoryKey::local_p_stage_cyc},
    {"line", MemoryKey::srcline},
    {"p_stage_cyc", MemoryKey::local_p_stage_cyc},
    {"retire_lat", MemoryKey::local_p_stage_cyc},
    {"tid", MemoryKey::pid},
    {"addr", MemoryKey::daddr},
};

const std::vector<RefusedKeys>& refused_keys_of_mem() {
  static const std::vector<RefusedKeys> refused = {
      {"--raw prints the time of each access, and --time chooses some", {"time"}},
      {"member and field show the part of a variable, by debug information", {"type", "typeoff", "typecln", "symoff"}},
      {"sort by cpu or cpu_node; perfsift info --header shows the topology", {"socket"}},
      {"perfsift script -F prints it", {"transaction", "trace", "trace_fields", "cgroup_id"}},
      {"vector operations in traces of Arm SPE are not read", {"simd"}},
      {"it distinguishes no more accesses than the name does", {"symbol_size", "dso_size"}},
      {"perfsift report knows it", {"parent", "srcfile", "overhead", "overhead_children", "sample", "period"}},
  };
  return refused;
}

std::optional<MemoryKey> key_of(std::string_view name) {
  const auto& all = analysis::all_memory_keys();
  const auto key = std::ranges::find(all, name, [](MemoryKey known) { return analysis::name_of(known); });
  if (key != all.end()) return *key;
  const auto other = std::ranges::find(other_names, name, [](const auto& pair) { return pair.first; });
  return other != std::end(other_names) ? std::optional(other->second) : std::nullopt;
}

}  // namespace

std::vector<std::string_view> memory_key_names() {
  std::vector<std::string_view> names;
  for (const MemoryKey key : analysis::all_memory_keys()) names.push_back(analysis::name_of(key));
  return names;
}

analysis::MemoryKeys memory_keys(const std::string& list) {
  analysis::MemoryKeys keys;
  std::istringstream names(list);
  for (std::string name; std::getline(names, name, ',');) {
    const std::optional<MemoryKey> key = key_of(name);
    if (!key) refuse_key(name, refused_keys_of_mem(), memory_key_names());
    if (std::ranges::count(keys, *key) != 0) throw UsageError("--sort: " + name + " is there twice");
    keys.push_back(*key);
  }
  if (keys.empty()) throw UsageError("--sort: name at least one key, such as mem");
  if (keys.size() > analysis::MemoryOptions::most_keys) {
    throw UsageError(fmt::format("--sort: at most {} keys", analysis::MemoryOptions::most_keys));
  }
  return keys;
}

}  // namespace perfsift::tools
