// An event's attributes in words.
#pragma once

#include <string>

#include "reader/format/event.h"

namespace perfsift::output {

// ", type = 1, size = 128, { sample_period, sample_freq } = 4000, sample_type = IP|TID…": all fields
// that are not zero, as perf's header text has them (perf_event_attr__fprintf()).
std::string attr_text(const reader::EventAttr& attr);

}  // namespace perfsift::output
