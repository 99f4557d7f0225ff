// Terms between slashes: cpu/event=0xc0,umask=1,name=foo,period=100/.
//
// A term is a word of perf (period, call-graph, …), a format of the PMU (event, umask, ldlat, …), an alias of the PMU
// (mem-loads), or a generic event on that PMU (cpu_core/cycles/).
//
// The terms of an alias come first, then those of the user in their order, and a later term replaces an earlier term:
// cpu/mem-loads,ldlat=30/ has ldlat=30. (perf takes the bitwise or of both, so that the ldlat=3 of the alias makes 0x1f
// of 30: pmu_config_term() in tools/perf/util/pmu.c.)
#pragma once

#include <string_view>
#include <vector>

#include "record/events/event_grammar.h"
#include "record/events/event_modifiers.h"
#include "record/events/pmu.h"

namespace perfsift::record {

// An event of a PMU. `is_hybrid`: the machine has several kinds of cores. Throws UsageError.
EventDraft pmu_event(std::string_view text, const Pmu& pmu, const std::vector<EventTerm>& terms, bool is_hybrid);

// Terms of an event that is no PMU's: words of perf only. Throws UsageError.
void apply_terms(std::string_view text, const std::vector<EventTerm>& terms, EventDraft& draft);

}  // namespace perfsift::record
