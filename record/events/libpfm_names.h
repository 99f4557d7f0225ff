// Names of vendors' events, which sysfs does not have, through libpfm4: MEM_LOAD_RETIRED:L3_MISS,
// skl::INST_RETIRED:ANY.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reader/format/event.h"

namespace perfsift::record {

// The event as libpfm4 encodes it for this machine, or for the PMU in front of "::". Of the attr, type, config…, and
// precise_ip are set. Nothing if libpfm4 does not know the name. Thread-safe.
std::optional<reader::EventAttr> libpfm_event(const std::string& name);

// The events of the PMUs that libpfm4 finds on this machine, to find the nearest.
const std::vector<std::string>& libpfm_event_names();

// Whether libpfm4 is installed.
bool has_libpfm();

}  // namespace perfsift::record
