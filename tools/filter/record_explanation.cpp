#include "tools/filter/record_explanation.h"

#include <algorithm>
#include <ostream>

#include "base/printable.h"
#include "filter/filter.h"
#include "filter/predicates.h"
#include "record/events/event_parser.h"
#include "record/keep/keep_plan.h"
#include "record/keep/tracepoint_fields.h"
#include "record/machine/online_cpus.h"

namespace perfsift::tools {
namespace {

void add_name(const std::string& name, std::vector<std::string>& names) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

void append_names(const filter::Predicate& predicate, std::vector<std::string>& names) {
  const auto* const text = dynamic_cast<const filter::TextTest*>(&predicate);
  if (text != nullptr && text->source().fact == filter::Fact::event) {
    for (const filter::TextPattern& pattern : text->patterns()) {
      if (pattern.exact() != nullptr) add_name(*pattern.exact(), names);
    }
  }
  for (const filter::Predicate* const part : predicate.parts()) append_names(*part, names);
}

std::vector<std::string> named_events(const filter::Filter& filter) {
  std::vector<std::string> names;
  for (const filter::TracepointField& field : filter.tracepoint_fields()) {
    if (!field.event.empty()) add_name(field.event, names);
  }
  append_names(*filter.root(), names);
  return names.empty() ? std::vector<std::string>{"cycles"} : names;
}

}  // namespace

void print_record_parts(const std::string& expression, std::vector<std::string> events, std::ostream& out) {
  record::KeepRequest request{.expressions = {{.origin = "expression", .text = expression}}};
  if (events.empty()) events = named_events(filter::Filter::parse(request.expressions));
  for (const std::string& names : events) {
    const std::size_t first = request.events.size();
    for (record::EventRequest& event : record::parse_events(names, {})) {
      event.leader += first;
      request.events.push_back(std::move(event));
    }
  }
  request.target.system_wide = true;
  request.online_cpus = record::online_cpus({});
  const record::KeepPlan plan = plan_keep(request, record::tracepoint_formats(request.events, {}));
  for (const std::string& line : record::explained(plan)) out << printable(line) << '\n';
}

}  // namespace perfsift::tools
