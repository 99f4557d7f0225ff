// The unit of an event's amounts, as pictures show it.
#pragma once

#include "analysis/profile/profile.h"
#include "analysis/samples/stack_options.h"
#include "output/flame/flame.h"

namespace perfsift::tools {

// Time for software clocks, bytes for an allocated space, otherwise the name of the event. `weight`: what a sample
// adds.
output::AmountUnit unit_of_event(const analysis::Profile& profile, analysis::EventId event, analysis::Weight weight);

}  // namespace perfsift::tools
