// Breakpoints: mem:ADDRESS[/LENGTH][:rwx][:modifiers]. parse_events_add_breakpoint() in tools/perf/util/parse-events.c.
#pragma once

#include <string_view>

#include "record/events/event_grammar.h"
#include "record/events/event_modifiers.h"

namespace perfsift::record {

// Whether the name of an event is meant to be a breakpoint: mem: and a digit.
bool is_breakpoint_name(std::string_view name);

// Without a length, 4 bytes of data or 8 of code are watched; without rwx, reads and writes. Throws UsageError.
EventDraft breakpoint_event(std::string_view text, const WrittenEvent& event);

}  // namespace perfsift::record
