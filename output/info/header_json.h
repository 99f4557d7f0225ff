// The header of a recording, its features and its events' attributes as JSON. The keys are documented in
// perfsift-info(1); features that were not recorded have no key.
#pragma once

#include "output/info/outline.h"
#include "reader/features/features.h"
#include "reader/format/event.h"

namespace perfsift::output {

Json header_json(const reader::FileHeader& header);
Json features_json(const reader::Features& features);
// "type", "config", … with perf's names. Zeros are left out, except in the first few members.
Json attr_json(const reader::EventAttr& attr);

}  // namespace perfsift::output
