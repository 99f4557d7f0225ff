#include "record/machine/machine.h"

#include <algorithm>

#include <fmt/format.h>
#include <sys/utsname.h>

#include "record/machine/number_text.h"
#include "record/machine/online_cpus.h"
#include "record/machine/topology.h"

namespace perfsift::record {

namespace {

using reader::Features;

void add_system(Features& features) {
  utsname system{};
  if (uname(&system) != 0) return;
  features.hostname = system.nodename;
  features.os_release = system.release;
  features.arch = system.machine;
}

// Runs of white space become one blank (__write_cpudesc()).
std::string squeezed(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\t';
    if (!blank || !result.ends_with(' ')) result += blank ? ' ' : c;
  }
  return result;
}

// The key depends on the architecture: CPUINFO_PROC in header.c.
std::string cpu_description(std::string_view cpuinfo) {
  for (const char* key : {"model name", "Model Name", "Processor", "cpu model", "cpu"}) {
    if (const auto value = value_of(cpuinfo, key); !value.empty()) return squeezed(value);
  }
  return {};
}

// get_cpuid() of x86. The kernel computes family and model from the CPUID instruction as perf does.
std::string cpu_id_of_x86(std::string_view cpuinfo) {
  const auto vendor = value_of(cpuinfo, "vendor_id"), family = value_of(cpuinfo, "cpu family");
  const auto model = value_of(cpuinfo, "model"), stepping = value_of(cpuinfo, "stepping");
  if (vendor.empty() || family.empty()) return {};
  return fmt::format("{},{},{},{}", vendor, family, model, stepping);
}

// get_cpuid() of arm64: MIDR_EL1 without the variant and the revision.
std::string cpu_id_of_arm(const std::string& sysfs) {
  constexpr std::uint64_t variant_and_revision = 0xf0000f;
  const std::string midr = text_of(sysfs + "/devices/system/cpu/cpu0/regs/identification/midr_el1");
  if (!midr.starts_with("0x")) return {};
  std::uint64_t number = 0;
  for (const char c : midr.substr(2)) {
    const std::size_t digit = std::string_view("0123456789abcdef").find(c);
    if (digit == std::string_view::npos) return {};
    number = number << 4 | digit;
  }
  return fmt::format("{:#018x}", number & ~variant_and_revision);
}

void add_cpu(Features& features, const KernelRoots& roots) {
  const std::string cpuinfo = text_of(roots.proc + "/cpuinfo");
  features.cpu_description = cpu_description(cpuinfo);
  features.cpu_id = cpu_id_of_x86(cpuinfo);
  if (features.cpu_id.empty()) features.cpu_id = cpu_id_of_arm(roots.sysfs);
  features.cpus_available = present_cpu_count(roots);
  if (const auto online = known_online_cpus(roots); !online.empty())
    features.cpus_online = static_cast<std::uint32_t>(online.size());
  features.cpu_topology = cpu_topology(roots);
  features.caches = cpu_caches(roots);
  features.cache_line_size = number_of(roots.sysfs + "/devices/system/cpu/cpu0/cache/index0/coherency_line_size");
}

void add_memory(Features& features, const KernelRoots& roots) {
  const std::string meminfo = text_of(roots.proc + "/meminfo");
  const auto total = value_of(meminfo, "MemTotal");
  if (const auto size = read_number(total.substr(0, total.find(' ')))) features.total_memory_kb = *size;
  features.numa_nodes = numa_nodes(roots);
  features.memory_topology = memory_topology(roots);
}

// The files in the folder `caps` of a PMU: their names and texts.
reader::PmuCapabilities capabilities_of(const std::string& folder, const std::string& pmu) {
  reader::PmuCapabilities capabilities{.pmu = pmu == "cpu" ? "" : pmu, .capabilities = {}};
  for (const std::string& name : names_in(folder + "/caps"))
    capabilities.capabilities.emplace_back(name, text_of(fmt::format("{}/caps/{}", folder, name)));
  return capabilities;
}

// Machines with several kinds of cores have a PMU for each kind: "cpu_core", "cpu_atom".
void add_hybrid(Features& features, const std::string& folder, const std::string& pmu) {
  if (!pmu.starts_with("cpu_")) return;
  if (auto cpus = text_of(folder + "/cpus"); !cpus.empty()) features.hybrid_topology.push_back({pmu, std::move(cpus)});
}

void add_pmus(Features& features, const KernelRoots& roots) {
  const std::string pmus = roots.sysfs + "/bus/event_source/devices";
  for (const std::string& pmu : names_in(pmus)) {
    const std::string folder = fmt::format("{}/{}", pmus, pmu);
    const auto type = number_of(folder + "/type");
    if (!type) continue;
    features.pmu_mappings.push_back({static_cast<std::uint32_t>(*type), pmu});
    add_hybrid(features, folder, pmu);
    auto capabilities = capabilities_of(folder, pmu);
    if (!capabilities.capabilities.empty()) features.pmu_capabilities.push_back(std::move(capabilities));
  }
  std::ranges::sort(features.pmu_mappings, {}, &reader::PmuMapping::type);
  // The CPU's own PMU, which has no name here, comes first.
  std::ranges::stable_sort(features.pmu_capabilities, {}, [](const auto& pmu) { return !pmu.pmu.empty(); });
}

}  // namespace

Features machine_features(const KernelRoots& roots) {
  Features features;
  add_system(features);
  add_cpu(features, roots);
  add_memory(features, roots);
  add_pmus(features, roots);
  return features;
}

}  // namespace perfsift::record
