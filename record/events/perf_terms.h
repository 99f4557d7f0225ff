// The terms that perf has for all events: config_term_names in tools/perf/util/parse-events.c.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "record/events/event_grammar.h"
#include "record/events/event_modifiers.h"

namespace perfsift::record {

// Applies the term if perf has a term of this name; false otherwise. Throws UsageError when the value is wrong.
bool apply_perf_term(std::string_view text, const EventTerm& term, EventDraft& draft);
std::vector<std::string> perf_term_names();

// The number that a term has; 1 without a value. Throws UsageError for anything but a number of at most `most`.
std::uint64_t number_of_term(std::string_view text, const EventTerm& term, std::uint64_t most);

}  // namespace perfsift::record
