#include <string_view>

#include <fmt/format.h>

#include "output/info/header_json.h"
#include "reader/features/feature_names.h"

namespace perfsift::output {
namespace {

using reader::Features;

// Names of features; unknown features have their number.
Json names_of(const std::vector<std::uint32_t>& numbers) {
  Json names = Json::array();
  for (const std::uint32_t number : numbers) {
    const std::string_view name = reader::feature_name(number);
    names.push_back(!name.empty() ? std::string(name) : std::to_string(number));
  }
  return names;
}

void add_text(Json& json, const char* key, const std::string& text) {
  if (!text.empty()) json[key] = text;
}

void add_list(Json& json, const char* key, Json list) {
  if (!list.empty()) json[key] = std::move(list);
}

template <typename T>
void add_number(Json& json, const char* key, const std::optional<T>& value) {
  if (value) json[key] = *value;
}

// One object for each element.
template <typename List, typename ToJson>
Json list_of(const List& list, ToJson&& to_json) {
  Json array = Json::array();
  for (const auto& element : list) array.push_back(to_json(element));
  return array;
}

std::string hex(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned>(byte));
  return text;
}

// "0-23,32-199": the bits that are set, as perf writes lists of CPUs.
std::string ranges_of_bits(const reader::MemoryNode& node) {
  const auto is_set = [&](std::uint64_t bit) {
    return bit < node.bits && bit / 64 < node.bitmap.size() && (node.bitmap[bit / 64] >> bit % 64 & 1) != 0;
  };
  const std::uint64_t bits = std::uint64_t{64} * node.bitmap.size();
  std::string text;
  for (std::uint64_t first = 0; first < bits; ++first) {
    if (!is_set(first)) continue;
    std::uint64_t last = first;
    while (is_set(last + 1)) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ",", first);
    if (last != first) text += fmt::format("-{}", last);
    first = last;
  }
  return text;
}

void add_machine(Json& json, const Features& f) {
  add_text(json, "hostname", f.hostname);
  add_text(json, "os_release", f.os_release);
  add_text(json, "perf_version", f.version);
  add_text(json, "arch", f.arch);
  if (f.e_machine) json["e_machine"] = {{"machine", f.e_machine->first}, {"flags", f.e_machine->second}};
  add_number(json, "cpus_online", f.cpus_online);
  add_number(json, "cpus_available", f.cpus_available);
  add_text(json, "cpu_description", f.cpu_description);
  add_text(json, "cpu_id", f.cpu_id);
  add_number(json, "total_memory_kb", f.total_memory_kb);
  add_number(json, "cache_line_size", f.cache_line_size);
}

void add_run(Json& json, const Features& f) {
  add_list(json, "command_line", f.command_line);
  if (f.sample_time) json["sample_time_ns"] = {{"first", f.sample_time->first}, {"last", f.sample_time->second}};
  add_number(json, "clock_resolution_ns", f.clock_resolution_ns);
  if (f.clock_data) {
    json["clock_data"] = {
        {"clock_id", f.clock_data->clock_id}, {"wall_ns", f.clock_data->wall_ns}, {"clock_ns", f.clock_data->clock_ns}};
  }
  if (f.compression) {
    json["compression"] = {{"type", f.compression->type == 1 ? Json("zstd") : Json(f.compression->type)},
                           {"level", f.compression->level},
                           {"ratio", f.compression->ratio},
                           {"mmap_len", f.compression->mmap_len}};
  }
  if (f.branch_stack) json["branch_stack"] = true;
  if (f.stat) json["stat"] = true;
  add_number(json, "dir_format", f.dir_format);
  if (!f.tracing_data.empty()) json["tracing_data_bytes"] = f.tracing_data.size();
}

void add_topology(Json& json, const Features& f) {
  if (f.cpu_topology) {
    json["cpu_topology"] = {{"core_siblings", f.cpu_topology->core_siblings},
                            {"thread_siblings", f.cpu_topology->thread_siblings},
                            {"die_siblings", f.cpu_topology->die_siblings}};
    std::size_t number = 0;
    add_list(json["cpu_topology"], "cpus", list_of(f.cpu_topology->cpus, [&](const auto& cpu) {
               return Json{{"cpu", number++}, {"core", cpu.core}, {"socket", cpu.socket}, {"die", cpu.die}};
             }));
  }
  add_list(
      json, "numa_nodes", list_of(f.numa_nodes, [](const reader::NumaNode& node) {
        return Json{{"node", node.node}, {"total_kb", node.total_kb}, {"free_kb", node.free_kb}, {"cpus", node.cpus}};
      }));
  add_list(json, "caches", list_of(f.caches, [](const reader::CacheLevel& cache) {
             return Json{
                 {"level", cache.level}, {"type", cache.type}, {"size", cache.size}, {"line_size", cache.line_size},
                 {"sets", cache.sets},   {"ways", cache.ways}, {"cpus", cache.cpus}};
           }));
  if (f.memory_topology) {
    json["memory_topology"] = {{"block_size", f.memory_topology->block_size}};
    add_list(json["memory_topology"], "nodes", list_of(f.memory_topology->nodes, [](const reader::MemoryNode& node) {
               return Json{{"node", node.node}, {"blocks", ranges_of_bits(node)}};
             }));
  }
  add_list(json, "hybrid_topology", list_of(f.hybrid_topology, [](const reader::HybridPmu& pmu) {
             return Json{{"pmu", pmu.pmu}, {"cpus", pmu.cpus}};
           }));
  if (!f.cpu_domains) return;
  json["schedstat_version"] = f.cpu_domains->schedstat_version;
  add_list(json, "cpu_domains", list_of(f.cpu_domains->cpus, [](const reader::CpuDomain& domain) {
             return Json{{"cpu", domain.cpu},
                         {"levels", list_of(domain.levels, [](const reader::CpuDomain::Level& level) {
                            return Json{{"level", level.level},
                                        {"name", level.name},
                                        {"cpu_mask", level.cpu_mask},
                                        {"cpu_list", level.cpu_list}};
                          })}};
           }));
}

void add_pmus(Json& json, const Features& f) {
  add_list(json, "pmu_mappings", list_of(f.pmu_mappings, [](const reader::PmuMapping& pmu) {
             return Json{{"type", pmu.type}, {"name", pmu.name}};
           }));
  add_list(json, "pmu_capabilities", list_of(f.pmu_capabilities, [](const reader::PmuCapabilities& pmu) {
             Json capabilities = Json::object();
             for (const auto& [name, value] : pmu.capabilities) capabilities[name] = value;
             return Json{{"pmu", pmu.pmu.empty() ? "cpu" : pmu.pmu}, {"capabilities", capabilities}};
           }));
  add_list(json, "groups", list_of(f.groups, [](const reader::EventGroup& group) {
             return Json{{"name", group.name}, {"leader", group.leader}, {"members", group.members}};
           }));
  add_list(json, "event_descriptions", list_of(f.event_descriptions, [](const reader::EventDescription& event) {
             return Json{{"name", event.name}, {"ids", event.ids.size()}};
           }));
}

void add_code(Json& json, const Features& f) {
  add_list(json, "build_ids", list_of(f.build_ids, [](const reader::BuildIdEntry& entry) {
             return Json{{"build_id", entry.build_id.hex()}, {"pid", entry.pid}, {"path", entry.path}};
           }));
  add_list(json, "bpf_programs", list_of(f.bpf_programs, [](const reader::BpfProgram& program) {
             return Json{{"id", program.id},
                         {"type", program.type},
                         {"name", program.name},
                         {"ksyms", program.ksyms},
                         {"lengths", program.lengths},
                         {"tags", list_of(program.tags, [](const auto& tag) { return Json(hex(tag)); })}};
           }));
  add_list(json, "bpf_btfs", list_of(f.bpf_btfs, [](const reader::BpfBtf& btf) {
             return Json{{"id", btf.id}, {"bytes", btf.data.size()}};
           }));
  add_list(json, "auxtrace_index", list_of(f.auxtrace_index, [](const reader::AuxtraceIndexEntry& entry) {
             return Json{{"file_offset", entry.file_offset}, {"size", entry.size}};
           }));
}

}  // namespace

Json features_json(const Features& features) {
  Json json = Json::object();
  add_machine(json, features);
  add_run(json, features);
  add_topology(json, features);
  add_pmus(json, features);
  add_code(json, features);
  json["present"] = names_of(features.present);
  add_list(json, "unknown", names_of(features.unknown));
  add_list(json, "malformed", names_of(features.malformed));
  return json;
}

}  // namespace perfsift::output
