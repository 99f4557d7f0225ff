#include "record/synthesis/trace_info.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "reader/auxtrace/spe_cpu.h"
#include "record/machine/kernel_files.h"
#include "record/machine/number_text.h"

namespace perfsift::record {
namespace {

struct DescribedCpu {
  std::uint32_t number = 0;
  std::uint64_t midr = 0;
  const EventRequest* event = nullptr;  // of the PMU that serves the CPU; nullptr: none
};

std::uint64_t midr_of(std::uint32_t cpu, const std::string& sysfs) {
  const std::string text = text_of(fmt::format("{}/devices/system/cpu/cpu{}/regs/identification/midr_el1", sysfs, cpu));
  return read_number(text).value_or(0);
}

const EventRequest* traced_on(std::uint32_t cpu, const std::vector<const EventRequest*>& traced) {
  for (const EventRequest* event : traced) {
    if (event->cpus.empty() || std::ranges::find(event->cpus, cpu) != event->cpus.end()) return event;
  }
  return nullptr;
}

std::vector<DescribedCpu> described_cpus(const std::vector<const EventRequest*>& traced, const std::string& sysfs) {
  std::vector<DescribedCpu> cpus;
  for (const std::uint32_t number : numbered_in(sysfs + "/devices/system/cpu", "cpu"))
    cpus.push_back({.number = number, .midr = midr_of(number, sysfs), .event = traced_on(number, traced)});
  // CPUs that are offline have no register.
  std::erase_if(cpus, [](const DescribedCpu& cpu) { return cpu.midr == 0; });
  return cpus;
}

// arm_spe_save_cpu_header() in tools/perf/arch/arm64/util/arm-spe.c
void describe(const DescribedCpu& cpu, const std::string& sysfs, std::vector<std::uint64_t>& words) {
  constexpr std::uint64_t magic = 0x1010101010101010, parameters = 4, no_pmu = ~std::uint64_t{0};
  words.insert(words.end(), {magic, cpu.number, parameters, cpu.midr});
  if (cpu.event == nullptr) return void(words.insert(words.end(), {no_pmu, 0, 0}));
  const std::string events = fmt::format("{}/bus/event_source/devices/{}/caps/event_filter", sysfs, cpu.event->pmu);
  constexpr int hexadecimal = 16;
  words.insert(words.end(),
               {cpu.event->attr.type, cpu.event->trace->interval, number_of(events, hexadecimal).value_or(0)});
}

}  // namespace

// arm_spe_info_fill(): perf 6.1 writes two words, of which the second is always 0.
std::optional<reader::AuxtraceInfo> trace_info(const std::vector<EventRequest>& events, const std::string& sysfs) {
  std::vector<const EventRequest*> traced;
  for (const EventRequest& event : events) {
    if (event.trace) traced.push_back(&event);
  }
  if (traced.empty()) return std::nullopt;
  const std::uint64_t type = traced.front()->attr.type;
  const std::vector<DescribedCpu> cpus = described_cpus(traced, sysfs);
  const auto differs = [&](const DescribedCpu& cpu) { return cpu.midr != cpus.front().midr; };
  reader::AuxtraceInfo info{.type = reader::auxtrace_type_spe, .settings = {type, 0}};
  if (std::ranges::none_of(cpus, differs)) return info;
  constexpr std::uint64_t version = 2, words_of_header = 4;
  info.settings = {version, words_of_header, type, cpus.size()};
  for (const DescribedCpu& cpu : cpus) describe(cpu, sysfs, info.settings);
  return info;
}

}  // namespace perfsift::record
