// The events that are shown if an output adds up all amounts, as flame graphs and folded stacks do below their root.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "analysis/profile/profile.h"
#include "tools/input_profile.h"

namespace perfsift::tools {

// The events with stacks whose amounts can be added to the amounts of the first event: see add_up(). The first event is
// the event that its input shows first, or the first in its input. If an event has no name, all events are returned,
// because it may be any of the others.
std::vector<analysis::EventId> shown_events(const analysis::Profile& profile, std::span<const InputReport> reports);

// Removes the stacks of other events from the profile. Returns what was removed, and how to see it, as a sentence
// without its final stop. Empty if nothing was removed.
std::string keep_shown_events(analysis::Profile& profile, std::span<const InputReport> reports);

}  // namespace perfsift::tools
