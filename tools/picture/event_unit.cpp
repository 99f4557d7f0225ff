#include "tools/picture/event_unit.h"

#include "analysis/collect/text_collector.h"

namespace perfsift::tools {

output::AmountUnit unit_of_event(const analysis::Profile& profile, analysis::EventId event, analysis::Weight weight) {
  const std::string& name = profile.events()[event];
  if (name == analysis::millionths) return {.name = name};
  if (weight == analysis::Weight::samples) return {};
  if (profile.is_in_nanoseconds(event)) return {.name = "time", .nanoseconds = true};
  if (name == analysis::no_event) return {};
  const std::string& unit = profile.event_type(event).unit;
  return {.name = unit.empty() ? name : unit};
}

}  // namespace perfsift::tools
