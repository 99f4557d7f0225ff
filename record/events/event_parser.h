// Names of events, as the option -e of perf record takes them, become requests.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "record/events/event_request.h"

namespace perfsift::record {

// Where the kernel describes its events. Tests give trees that were made from other machines.
struct EventSources {
  std::string sysfs = "/sys";
  std::string tracefs;  // empty: sysfs/kernel/tracing, or sysfs/kernel/debug/tracing
};

// One argument of -e: names with commas between them, groups in braces, modifiers, terms, globs of tracepoints. Throws
// UsageError that names the part that is wrong, and the nearest names that exist. The leaders in the result are indexes
// of the result.
std::vector<EventRequest> parse_events(std::string_view text, const EventSources& sources);

}  // namespace perfsift::record
