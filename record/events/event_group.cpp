#include "record/events/event_group.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace perfsift::record {

namespace {

bool counts_anywhere(const EventRequest& event) {
  const std::uint32_t type = event.attr.type;
  return type == reader::event_type::software || type == reader::event_type::tracepoint ||
         type == reader::event_type::breakpoint;
}

// The PMU whose events can be in one group: the kernel refuses a group of several PMUs that count hardware. Empty: the
// cores of a machine with one kind of core.
std::string unit_of(const EventDraft& draft, bool is_hybrid) {
  const bool is_anywhere = draft.request.cpus.empty();
  return is_anywhere || (draft.is_of_core && !is_hybrid) ? std::string() : draft.request.pmu;
}

// The unit of the first event that counts hardware: software events are in its group.
std::string first_unit(const std::vector<EventDraft>& drafts, bool is_hybrid) {
  const auto first = std::ranges::find_if_not(drafts, counts_anywhere, &EventDraft::request);
  return first == drafts.end() ? std::string() : unit_of(*first, is_hybrid);
}

}  // namespace

void add_group(std::string_view text, const WrittenGroup& group, std::vector<EventDraft> drafts, bool is_hybrid,
               std::vector<EventRequest>& requests) {
  std::map<std::string, std::size_t> leaders;  // of each unit
  const std::string software_unit = first_unit(drafts, is_hybrid);
  for (EventDraft& draft : drafts) {
    const std::size_t index = requests.size();
    draft.request.leader = index;
    if (group.braces) {
      const std::string unit = counts_anywhere(draft.request) ? software_unit : unit_of(draft, is_hybrid);
      draft.request.leader = leaders.try_emplace(unit, index).first->second;
      const bool is_leader = draft.request.leader == index;
      if (is_leader) draft.request.group_name = group.name;
      add_group_modifiers(text, group.modifiers, draft, is_leader);
    }
    requests.push_back(std::move(draft.request));
  }
}

}  // namespace perfsift::record
