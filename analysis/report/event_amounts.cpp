#include "analysis/report/event_amounts.h"

#include <algorithm>

namespace perfsift::analysis {

EventId event_of_frameless(const Profile& profile) {
  const std::vector<EventId> events = profile.events_with_stacks();
  // The name decides, because numbers depend on which thread met an event first.
  const auto first = std::ranges::min_element(events, {}, [&](EventId event) { return profile.events()[event]; });
  return first != events.end() ? *first : 0;
}

std::vector<Amount> event_amounts(const Profile& profile) {
  std::vector<Amount> amounts(profile.events().size());
  Amount frameless;
  for (const StackList& list : profile.lists()) {
    frameless += list.frameless();
    for (const StackList::Entry& entry : list.entries()) {
      amounts[profile.callers(entry.callers).event] += entry.amount;
    }
  }
  if (!amounts.empty()) amounts[event_of_frameless(profile)] += frameless;
  return amounts;
}

}  // namespace perfsift::analysis
