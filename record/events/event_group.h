// The events of braces become one group, or one of each kind of cores.
#pragma once

#include <string_view>
#include <vector>

#include "record/events/event_grammar.h"
#include "record/events/event_modifiers.h"

namespace perfsift::record {

// Appends the events of an item of the list, with leaders and the modifiers of the group. Throws UsageError.
void add_group(std::string_view text, const WrittenGroup& group, std::vector<EventDraft> drafts, bool is_hybrid,
               std::vector<EventRequest>& requests);

}  // namespace perfsift::record
