// The header of a recording, its features and its events' attributes as JSON. The keys are documented in
// perfsift-info(1); what was not recorded has none.
#pragma once

#include "output/info/outline.h"
#include "reader/features/features.h"
#include "reader/format/event.h"

namespace perfsift::output {

Json header_json(const reader::FileHeader& header);
Json features_json(const reader::Features& features);
// "type", "config", … as perf calls them; those that are 0 are left out but for the first few.
Json attr_json(const reader::EventAttr& attr);

}  // namespace perfsift::output
