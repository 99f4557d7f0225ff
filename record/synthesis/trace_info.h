// AUXTRACE_INFO: what readers must know of the hardware to decode a trace. The twin of decode_spe_settings() in
// reader/auxtrace/spe_cpu.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reader/records/auxtrace.h"
#include "record/events/event_request.h"

namespace perfsift::record {

// Nothing if no event has a trace.
//
// A description of each CPU is known to perf since 6.14. Older versions take the CPUID of the header for all CPUs, and
// decode nothing that has descriptions; newer versions read both. So CPUs are described only if they differ.
std::optional<reader::AuxtraceInfo> trace_info(const std::vector<EventRequest>& events, const std::string& sysfs);

}  // namespace perfsift::record
