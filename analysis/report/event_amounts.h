// The total amount of each event of a profile.
#pragma once

#include <vector>

#include "analysis/profile/profile.h"

namespace perfsift::analysis {

// The amounts by EventId. Stacks without frames belong to no event (StackList::frameless()). They are counted with
// event_of_frameless().
std::vector<Amount> event_amounts(const Profile& profile);

// The event with which frameless stacks are counted: the first by name among the events with stacks.
EventId event_of_frameless(const Profile& profile);

}  // namespace perfsift::analysis
