// The letters behind an event: cycles:ukpp. get_event_modifier() in tools/perf/util/parse-events.c of perf 6.1.
//
//   u k h    count in user mode, the kernel, the hypervisor: modes that are not given are excluded
//   H G      count in the host, in guests
//   I        exclude the idle task
//   p P      how precise the address is: one p to ppp; P: the highest precision that the machine accepts
//   S        {a,b}:S: the leader of the group samples, and each sample has the counts of all members
//   D e      pinned to the PMU; exclusive use of the PMU
//   W        a weak group: its members are counted one by one if the kernel refuses the group
//   b        counted by BPF; only perf stat does so, and there is nothing to do here
#pragma once

#include <string_view>
#include <vector>

#include "record/events/event_grammar.h"
#include "record/events/event_request.h"

namespace perfsift::record {

// Whether the text consists of letters of modifiers, and may be empty.
bool are_modifiers(std::string_view text);

// An event while its text is read.
struct EventDraft {
  EventRequest request;
  bool host_or_guest_given = false;  // by H or G, so that u and p do not exclude guests
  bool is_of_core = true;            // no event of a PMU beside the cores
};

// Applies the modifiers of an event. An event without modifiers excludes guests; with modifiers, only u and p exclude
// guests, so that "cycles:k" counts guests, too. (perf 7.x counts guests by default.) Throws UsageError.
void apply_modifiers(std::string_view text, const Word& letters, EventDraft& draft);
// Applies the modifiers of a group in addition to those that its events have. Throws UsageError.
void add_group_modifiers(std::string_view text, const Word& letters, EventDraft& draft, bool is_leader);

}  // namespace perfsift::record
