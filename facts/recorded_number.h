// The numbers that are recorded in a sample itself, for samples from a recording and from perf.
#pragma once

#include <optional>

#include "filter/sample_facts.h"
#include "reader/format/sample.h"

namespace perfsift::facts {

// The values of PERFSIFT_RECORDED_NUMBERS, of ip and of cpumode. Nothing where the number was not recorded, and for
// facts that are not in the sample itself.
std::optional<filter::Number> recorded_number(const reader::Sample& sample, filter::Fact fact);

}  // namespace perfsift::facts
