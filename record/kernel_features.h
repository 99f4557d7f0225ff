// What the running kernel does not know of an attr: an older kernel refuses bits of newer ones (EINVAL).
#pragma once

#include <string>
#include <vector>

#include "reader/format/event.h"

namespace perfsift::record {

// Takes out the bits that the kernel does not know and without which a recording is still of use, and returns their
// names, as perf record -vv prints them. Each bit is tried with an event of its own, so the answer does not depend on
// other reasons why the kernel refuses `attr`. evsel__detect_missing_features() in tools/perf/util/evsel.c is the
// model.
std::vector<std::string> leave_out_unknown_bits(reader::EventAttr& attr);

}  // namespace perfsift::record
