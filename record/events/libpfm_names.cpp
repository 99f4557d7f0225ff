#include "record/events/libpfm_names.h"

#include <mutex>

#include <dlfcn.h>
#include <perfmon/pfmlib_perf_event.h>

#include "base/loaded_function.h"
#include "base/owned.h"

namespace perfsift::record {

namespace {

// libpfm4, loaded on demand: its tables are 1 MB of private memory, and most commands name no event. The library
// detects the machine once and is not documented to be thread-safe.
class Library {
 public:
  Library() : handle_(dlopen("libpfm.so.4", RTLD_NOW | RTLD_LOCAL)) {
    const auto look_up = [this](auto& function, const char* name) {
      return find_function(handle_.get(), name, function);
    };
    ready_ = handle_ && look_up(initialize_, "pfm_initialize") && look_up(encode, "pfm_get_os_event_encoding") &&
             look_up(pmu_info, "pfm_get_pmu_info") && look_up(event_info, "pfm_get_event_info") &&
             look_up(next_event, "pfm_get_event_next") && initialize_() == PFM_SUCCESS;
  }

  bool is_ready() const { return ready_; }
  decltype(&pfm_get_os_event_encoding) encode = nullptr;
  decltype(&pfm_get_pmu_info) pmu_info = nullptr;
  decltype(&pfm_get_event_info) event_info = nullptr;
  decltype(&pfm_get_event_next) next_event = nullptr;

 private:
  const Owned<void, dlclose> handle_;
  decltype(&pfm_initialize) initialize_ = nullptr;
  bool ready_ = false;
};

std::mutex& one_at_a_time() {
  static std::mutex mutex;
  return mutex;
}

const Library& library() {
  static const Library library;
  return library;
}

// libpfm4 also knows the kernel's generic events and the tracepoints of this machine, which are not its business here.
bool is_vendor_event(std::uint32_t type) {
  return type == reader::event_type::raw || type > reader::event_type::breakpoint;
}

void add_events_of(pfm_pmu_t pmu, std::vector<std::string>& names) {
  pfm_pmu_info_t unit{};
  unit.size = sizeof unit;
  if (library().pmu_info(pmu, &unit) != PFM_SUCCESS || unit.is_present == 0) return;
  if (pmu == PFM_PMU_PERF_EVENT || pmu == PFM_PMU_PERF_EVENT_RAW) return;
  for (int event = unit.first_event; event != -1; event = library().next_event(event)) {
    pfm_event_info_t info{};
    info.size = sizeof info;
    if (library().event_info(event, PFM_OS_PERF_EVENT_EXT, &info) == PFM_SUCCESS) names.emplace_back(info.name);
  }
}

}  // namespace

std::optional<reader::EventAttr> libpfm_event(const std::string& name) {
  const std::lock_guard lock(one_at_a_time());
  if (!library().is_ready()) return std::nullopt;
  perf_event_attr encoded{};
  pfm_perf_encode_arg_t arguments{};
  arguments.attr = &encoded;
  arguments.size = sizeof arguments;
  const int result = library().encode(name.c_str(), PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT_EXT, &arguments);
  if (result != PFM_SUCCESS || !is_vendor_event(encoded.type)) return std::nullopt;
  reader::EventAttr attr{.type = encoded.type, .config = encoded.config};
  attr.config1 = encoded.config1;
  attr.config2 = encoded.config2;
  attr.set_precise_ip(encoded.precise_ip);
  return attr;
}

const std::vector<std::string>& libpfm_event_names() {
  const std::lock_guard lock(one_at_a_time());
  static const std::vector<std::string> all = [] {
    std::vector<std::string> names;
    for (int pmu = PFM_PMU_NONE + 1; library().is_ready() && pmu < PFM_PMU_MAX; ++pmu)
      add_events_of(static_cast<pfm_pmu_t>(pmu), names);
    return names;
  }();
  return all;
}

bool has_libpfm() {
  const std::lock_guard lock(one_at_a_time());
  return library().is_ready();
}

}  // namespace perfsift::record
