// The facts that are numbers and stand in the sample itself: the same, whether the sample comes from a recording or
// from perf.
#pragma once

#include <optional>

#include "filter/sample_facts.h"
#include "reader/format/sample.h"

namespace perfsift::analysis {

// Nothing where it was not recorded, and for facts that are not of the sample itself.
std::optional<filter::Number> recorded_number(const reader::Sample& sample, filter::Fact fact);

}  // namespace perfsift::analysis
