// Which events are shown where an output adds up all amounts, as a flame graph and folded stacks do below their root.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "analysis/profile/profile.h"
#include "tools/input_profile.h"

namespace perfsift::tools {

// Of the events with stacks, those whose amounts can be added to the amounts of the first one: see add_up(). The first
// event is the one that its input wants to be shown first, or that is first in its input. All events, if one of them is
// not named: it may be any of the others.
std::vector<analysis::EventId> shown_events(const analysis::Profile& profile, std::span<const InputReport> reports);

// Removes the other stacks from the profile. Returns what was removed, and how to see it, as a sentence without its
// stop; empty: nothing.
std::string keep_shown_events(analysis::Profile& profile, std::span<const InputReport> reports);

}  // namespace perfsift::tools
