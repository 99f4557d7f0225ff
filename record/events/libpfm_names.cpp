#include "record/events/libpfm_names.h"

#include <mutex>

#include <perfmon/pfmlib_perf_event.h>

namespace perfsift::record {

namespace {

// libpfm4 detects the machine once and is not documented to be thread-safe.
std::mutex& library() {
  static std::mutex mutex;
  return mutex;
}

bool is_ready() {
  static const bool ready = pfm_initialize() == PFM_SUCCESS;
  return ready;
}

// libpfm4 also knows the kernel's generic events and the tracepoints of this machine, which are not its business here.
bool is_vendor_event(std::uint32_t type) {
  return type == reader::event_type::raw || type > reader::event_type::breakpoint;
}

void add_events_of(pfm_pmu_t pmu, std::vector<std::string>& names) {
  pfm_pmu_info_t unit{};
  unit.size = sizeof unit;
  if (pfm_get_pmu_info(pmu, &unit) != PFM_SUCCESS || unit.is_present == 0) return;
  if (pmu == PFM_PMU_PERF_EVENT || pmu == PFM_PMU_PERF_EVENT_RAW) return;
  for (int event = unit.first_event; event != -1; event = pfm_get_event_next(event)) {
    pfm_event_info_t info{};
    info.size = sizeof info;
    if (pfm_get_event_info(event, PFM_OS_PERF_EVENT_EXT, &info) == PFM_SUCCESS) names.emplace_back(info.name);
  }
}

}  // namespace

std::optional<reader::EventAttr> libpfm_event(const std::string& name) {
  const std::lock_guard lock(library());
  if (!is_ready()) return std::nullopt;
  perf_event_attr encoded{};
  pfm_perf_encode_arg_t arguments{};
  arguments.attr = &encoded;
  arguments.size = sizeof arguments;
  const int result = pfm_get_os_event_encoding(name.c_str(), PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT_EXT, &arguments);
  if (result != PFM_SUCCESS || !is_vendor_event(encoded.type)) return std::nullopt;
  reader::EventAttr attr{.type = encoded.type, .config = encoded.config};
  attr.config1 = encoded.config1;
  attr.config2 = encoded.config2;
  attr.set_precise_ip(encoded.precise_ip);
  return attr;
}

const std::vector<std::string>& libpfm_event_names() {
  const std::lock_guard lock(library());
  static const std::vector<std::string> all = [] {
    std::vector<std::string> names;
    for (int pmu = PFM_PMU_NONE + 1; is_ready() && pmu < PFM_PMU_MAX; ++pmu)
      add_events_of(static_cast<pfm_pmu_t>(pmu), names);
    return names;
  }();
  return all;
}

}  // namespace perfsift::record
