// The stacks of one event of a profile.
#pragma once

#include "analysis/profile/profile.h"

namespace perfsift::analysis {

// Adds the stacks of `event` to `one`, as stacks without an event.
void add_event(const Profile& profile, EventId event, Profile& one);

}  // namespace perfsift::analysis
