// What the samples of each event of a profile add up to.
#pragma once

#include <vector>

#include "analysis/profile/profile.h"

namespace perfsift::analysis {

// By EventId. Stacks without frames belong to no event (StackList::frameless()); they are counted with the event
// with stacks whose name is first.
std::vector<Amount> event_amounts(const Profile& profile);

// The event that frameless stacks are counted with.
EventId event_of_frameless(const Profile& profile);

}  // namespace perfsift::analysis
