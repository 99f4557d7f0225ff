// PMUs that write a trace into an AUX area, by their names. sysfs says no more: perf knows them by name, too
// (auxtrace_record__init() in tools/perf/arch/*/util/auxtrace.c).
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace perfsift::record {

// "arm_spe_0"
inline bool is_arm_spe(std::string_view pmu) { return pmu.starts_with("arm_spe_"); }

// Those whose traces perfsift does not record.
inline bool is_other_trace_unit(std::string_view pmu) {
  constexpr std::array<std::string_view, 4> names{"intel_pt", "intel_bts", "cs_etm", "hisi_ptt"};
  return std::ranges::any_of(names, [&](std::string_view name) { return pmu.starts_with(name); });
}

}  // namespace perfsift::record
