#include "record/events/perf_terms.h"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include "record/events/event_refusal.h"
#include "record/machine/number_text.h"

namespace perfsift::record {

namespace {

template <typename T>
constexpr std::uint64_t most_of = std::numeric_limits<T>::max();

struct NumberTerm {
  std::string_view name;
  bool is_switch;  // without a value, the term is 1
  std::uint64_t most;
  void (*put)(EventRequest& event, std::uint64_t value);
};

constexpr std::uint64_t any = most_of<std::uint64_t>;
constexpr std::array number_terms{
    NumberTerm{"config", false, any, [](EventRequest& e, std::uint64_t v) { e.attr.config = v; }},
    NumberTerm{"config1", false, any, [](EventRequest& e, std::uint64_t v) { e.attr.config1 = v; }},
    NumberTerm{"config2", false, any, [](EventRequest& e, std::uint64_t v) { e.attr.config2 = v; }},
    NumberTerm{"config3", false, any, [](EventRequest& e, std::uint64_t v) { e.attr.config3 = v; }},
    NumberTerm{"config4", false, any, [](EventRequest& e, std::uint64_t v) { e.attr.config4 = v; }},
    NumberTerm{"period", false, any, [](EventRequest& e, std::uint64_t v) { e.terms.period = v; }},
    NumberTerm{"freq", false, any, [](EventRequest& e, std::uint64_t v) { e.terms.frequency = v; }},
    NumberTerm{"time", false, 1, [](EventRequest& e, std::uint64_t v) { e.terms.time = v != 0; }},
    NumberTerm{"stack-size", false, most_of<std::uint32_t>,
               [](EventRequest& e, std::uint64_t v) { e.terms.stack_size = static_cast<std::uint32_t>(v); }},
    NumberTerm{"max-stack", false, most_of<std::uint16_t>,
               [](EventRequest& e, std::uint64_t v) { e.terms.max_stack = static_cast<std::uint16_t>(v); }},
    NumberTerm{"inherit", true, 1, [](EventRequest& e, std::uint64_t v) { e.terms.inherit = v != 0; }},
    NumberTerm{"no-inherit", true, 1, [](EventRequest& e, std::uint64_t v) { e.terms.inherit = v == 0; }},
    NumberTerm{"overwrite", true, 1, [](EventRequest& e, std::uint64_t v) { e.terms.overwrite = v != 0; }},
    NumberTerm{"no-overwrite", true, 1, [](EventRequest& e, std::uint64_t v) { e.terms.overwrite = v == 0; }},
    NumberTerm{"aux-output", true, 1, [](EventRequest& e, std::uint64_t v) { e.terms.aux_output = v != 0; }},
    NumberTerm{"aux-sample-size", false, most_of<std::uint32_t>,
               [](EventRequest& e, std::uint64_t v) { e.terms.aux_sample_size = static_cast<std::uint32_t>(v); }},
    // perf stat only: counts of all threads of a core, added up.
    NumberTerm{"percore", true, 1, [](EventRequest&, std::uint64_t) {}},
};

struct TextTerm {
  std::string_view name;
  std::array<std::string_view, 4> values;  // all that may be; the first is empty: any text
  void (*put)(EventRequest& event, const std::string& value);
};

constexpr std::array text_terms{
    TextTerm{"name", {}, [](EventRequest& e, const std::string& v) { e.name = v; }},
    TextTerm{"call-graph",
             {"fp", "dwarf", "lbr", "no"},
             [](EventRequest& e, const std::string& v) { e.terms.call_graph = v; }},
    TextTerm{"branch_type", {}, [](EventRequest& e, const std::string& v) { e.terms.branch_type = v; }},
    // perf's own metrics find their events by this text.
    TextTerm{"metric-id", {}, [](EventRequest&, const std::string&) {}},
};

void apply_text(std::string_view text, const EventTerm& term, const TextTerm& known, EventDraft& draft) {
  if (!term.value || term.value->text.empty()) refuse_event(text, term.name, "needs a value");
  const bool is_listed = std::ranges::find(known.values, term.value->text) != known.values.end();
  if (!known.values.front().empty() && !is_listed)
    refuse_event(text, *term.value,
                 fmt::format("is no value of {}; its values are {}", known.name, fmt::join(known.values, ", ")));
  known.put(draft.request, term.value->text);
}

}  // namespace

std::uint64_t number_of_term(std::string_view text, const EventTerm& term, std::uint64_t most) {
  if (!term.value) return 1;
  const auto number = read_number(term.value->text);
  if (!number) refuse_event(text, *term.value, fmt::format("is no number for {}", term.name.text));
  if (*number > most)
    refuse_event(text, *term.value, fmt::format("is too much for {}, which has at most {}", term.name.text, most));
  return *number;
}

bool apply_perf_term(std::string_view text, const EventTerm& term, EventDraft& draft) {
  const auto number = std::ranges::find(number_terms, term.name.text, &NumberTerm::name);
  if (number != number_terms.end()) {
    if (!term.value && !number->is_switch) refuse_event(text, term.name, "needs a value");
    number->put(draft.request, number_of_term(text, term, number->most));
    return true;
  }
  const auto known = std::ranges::find(text_terms, term.name.text, &TextTerm::name);
  if (known == text_terms.end()) return false;
  apply_text(text, term, *known, draft);
  return true;
}

std::vector<std::string> perf_term_names() {
  std::vector<std::string> names;
  for (const NumberTerm& term : number_terms) names.emplace_back(term.name);
  for (const TextTerm& term : text_terms) names.emplace_back(term.name);
  return names;
}

}  // namespace perfsift::record
