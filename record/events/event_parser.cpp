#include "record/events/event_parser.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "record/events/breakpoint.h"
#include "record/events/event_grammar.h"
#include "record/events/event_group.h"
#include "record/events/event_modifiers.h"
#include "record/events/event_refusal.h"
#include "record/events/event_terms.h"
#include "record/events/generic_events.h"
#include "record/events/libpfm_names.h"
#include "record/events/pmu.h"
#include "record/events/tracepoints.h"

namespace perfsift::record {

namespace {

using Drafts = std::vector<EventDraft>;

// The part before the first colon, and the part behind it.
std::pair<Word, Word> split_at_colon(const Word& word) {
  const std::size_t colon = word.text.find(':');
  if (colon == std::string::npos) return {word, Word{.text = "", .at = word.at + word.text.size()}};
  return {Word{.text = word.text.substr(0, colon), .at = word.at},
          Word{.text = word.text.substr(colon + 1), .at = word.at + colon + 1}};
}

class Parser {
 public:
  Parser(std::string_view text, const EventSources& sources)
      : text_(text), pmus_(all_pmus(sources.sysfs)), tracepoints_(sources) {
    is_hybrid_ = std::ranges::count_if(pmus_, &Pmu::is_core) > 1;
  }

  std::vector<EventRequest> requests() {
    std::vector<EventRequest> requests;
    for (const WrittenGroup& group : read_events(text_)) {
      Drafts drafts;
      for (const WrittenEvent& event : group.events) std::ranges::move(resolve(event), std::back_inserter(drafts));
      add_group(text_, group, std::move(drafts), is_hybrid_, requests);
    }
    return requests;
  }

 private:
  Drafts resolve(const WrittenEvent& event) {
    if (is_breakpoint_name(event.name.text)) return named({breakpoint_event(text_, event)}, event.text.text);
    if (event.terms) {
      if (Drafts drafts = events_of_pmus(event); !drafts.empty()) return drafts;
    }
    return events_by_name(event);
  }

  // PMU/…/
  Drafts events_of_pmus(const WrittenEvent& event) {
    std::vector<const Pmu*> meant = pmus_called(event.name.text);
    Drafts drafts = events_of(meant, *event.terms);
    for (EventDraft& draft : drafts) {
      apply_modifiers(text_, event.modifiers, draft);
      if (!draft.request.name.empty()) continue;
      const std::string behind_name = event.text.text.substr(event.name.text.size());
      draft.request.name = meant.size() == 1 ? event.text.text : draft.request.pmu + behind_name;
    }
    return drafts;
  }

  std::vector<const Pmu*> pmus_called(const std::string& name) const {
    std::vector<const Pmu*> meant;
    for (const Pmu& pmu : pmus_) {
      if (pmu.name() == name) return {&pmu};
      const bool every_core = name == "cpu" && is_hybrid_ && pmu.is_core();
      if (every_core || pmu.answers_to(name)) meant.push_back(&pmu);
    }
    return meant;
  }

  // An event on each PMU that has all terms. Throws if no PMU has them.
  Drafts events_of(const std::vector<const Pmu*>& pmus, const std::vector<EventTerm>& terms) const {
    Drafts drafts;
    std::optional<UsageError> first_error;
    for (const Pmu* pmu : pmus) {
      try {
        drafts.push_back(pmu_event(text_, *pmu, terms, is_hybrid_));
      } catch (const UsageError& error) {
        if (!first_error) first_error = error;
      }
    }
    if (drafts.empty() && first_error) throw *first_error;
    return drafts;
  }

  // NAME[/terms/][:modifiers], SYSTEM:NAME…
  Drafts events_by_name(const WrittenEvent& event) {
    const auto [base, behind] = split_at_colon(event.name);
    if (Drafts drafts = events_called(base, event, behind); !drafts.empty()) return drafts;
    if (Drafts drafts = tracepoints_called(base, event, behind); !drafts.empty()) return drafts;
    if (Drafts drafts = vendor_events(event); !drafts.empty()) return drafts;
    refuse(event, base, behind);
  }

  // Generic events, raw events, and aliases of any PMU.
  Drafts events_called(const Word& base, const WrittenEvent& event, const Word& behind) {
    if (const auto generic = generic_event(base.text)) return finish(generic_events(*generic), base, event, behind);
    if (const auto raw = raw_event(base.text)) return finish(raw_events(*raw), base, event, behind);
    std::vector<const Pmu*> owners;
    for (const Pmu& pmu : pmus_)
      if (pmu.alias(base.text)) owners.push_back(&pmu);
    if (owners.empty()) return {};
    Drafts drafts = events_of(owners, {EventTerm{.name = base, .value = std::nullopt}});
    for (EventDraft& draft : drafts)
      if (owners.size() == 1 && !draft.request.pmu.empty()) draft.request.name = event.text.text;
    return finish(std::move(drafts), base, event, behind);
  }

  Drafts generic_events(const GenericEvent& generic) const {
    EventDraft draft;
    draft.request.attr.type = generic.type;
    draft.request.attr.config = generic.config;
    // Each record of a program is a sample: evsel__config() in tools/perf/util/evsel.c.
    if (draft.request.attr.is_bpf_output()) draft.request.attr.sample_period = 1;
    if (generic.type == reader::event_type::software) return {draft};
    return on_each_core(draft, [](const Pmu& pmu, reader::EventAttr& attr) {
      attr.config |= std::uint64_t{pmu.type()} << 32;  // PERF_PMU_TYPE_SHIFT
    });
  }

  Drafts raw_events(std::uint64_t config) const {
    EventDraft draft;
    draft.request.attr.type = reader::event_type::raw;
    draft.request.attr.config = config;
    return on_each_core(draft, [](const Pmu& pmu, reader::EventAttr& attr) { attr.type = pmu.type(); });
  }

  // Several kinds of cores need an event each.
  template <typename Change>
  Drafts on_each_core(const EventDraft& draft, Change change) const {
    if (!is_hybrid_) return {draft};
    Drafts drafts;
    for (const Pmu& pmu : pmus_) {
      if (!pmu.is_core()) continue;
      drafts.push_back(draft);
      drafts.back().request.pmu = pmu.name();
      drafts.back().request.cpus = pmu.cpus();
      change(pmu, drafts.back().request.attr);
    }
    return drafts;
  }

  Drafts finish(Drafts drafts, const Word& base, const WrittenEvent& event, const Word& behind) const {
    if (event.terms && !behind.text.empty()) refuse_event(text_, behind, "stands before the terms");
    const Word& letters = event.terms ? event.modifiers : behind;
    for (EventDraft& draft : drafts) {
      EventRequest& request = draft.request;
      if (request.name.empty()) request.name = name_of(request, base, event, letters);
      if (event.terms) apply_terms(text_, *event.terms, draft);
      apply_modifiers(text_, letters, draft);
    }
    return drafts;
  }

  // An event that became one of several PMUs has the PMU in its name: evsel__uniquify_counter() of perf 7.x.
  static std::string name_of(const EventRequest& request, const Word& base, const WrittenEvent& event,
                             const Word& letters) {
    if (request.pmu.empty()) return event.text.text;
    std::string terms = base.text;
    if (event.terms && !event.terms->empty()) {
      const std::size_t begin = base.text.size() + 1;
      terms += "," + event.text.text.substr(begin, event.text.text.rfind('/') - begin);
    }
    return fmt::format("{}/{}/{}", request.pmu, terms, letters.text);
  }

  Drafts tracepoints_called(const Word& system, const WrittenEvent& event, const Word& behind) {
    if (behind.text.empty()) return {};
    const auto [name, letters] = split_at_colon(behind);
    Drafts drafts;
    for (const Tracepoint& tracepoint : tracepoints_.find(system.text, name.text)) {
      EventDraft draft;
      draft.request.attr.type = reader::event_type::tracepoint;
      draft.request.attr.config = tracepoint.id;
      draft.request.attr.sample_period = 1;
      draft.request.name = tracepoint.system + ":" + tracepoint.name;
      if (event.terms) apply_terms(text_, *event.terms, draft);
      apply_modifiers(text_, event.terms ? event.modifiers : letters, draft);
      drafts.push_back(std::move(draft));
    }
    return drafts;
  }

  // A vendor's name has colons itself: letters behind the last are modifiers if the name without them is known.
  Drafts vendor_events(const WrittenEvent& event) {
    if (event.terms) return {};
    const std::string& name = event.name.text;
    const std::size_t colon = name.rfind(':');
    Word letters;
    auto attr = libpfm_event(name);
    if (colon != std::string::npos && are_modifiers(std::string_view(name).substr(colon + 1))) {
      if (const auto without = libpfm_event(name.substr(0, colon))) {
        attr = without;
        letters = {.text = name.substr(colon + 1), .at = event.name.at + colon + 1};
      }
    }
    if (!attr) return {};
    EventDraft draft;
    draft.request.attr = *attr;
    apply_modifiers(text_, letters, draft);
    draft.request.attr.set_precise_ip(std::max(attr->precise_ip(), draft.request.attr.precise_ip()));
    return named({draft}, event.text.text);
  }

  static Drafts named(Drafts drafts, const std::string& name) {
    for (EventDraft& draft : drafts) draft.request.name = name;
    return drafts;
  }

  [[noreturn]] void refuse(const WrittenEvent& event, const Word& base, const Word& behind) const {
    if (event.terms) refuse_event(text_, event.name, "is no PMU and no event", names_with_terms());
    if (behind.text.empty() || are_modifiers(behind.text)) refuse_event(text_, base, "is no event", event_names());
    if (const auto why = tracepoints_.unreadable())
      refuse_event(text_, event.name, "is no known event, and tracepoints " + with_remedy(*why), libpfm_event_names());
    const Word name = split_at_colon(behind).first;
    if (const auto why = tracepoints_.unreadable(base.text, name.text)) refuse_event(text_, name, with_remedy(*why));
    const std::vector<std::string> systems = tracepoints_.systems();
    if (std::ranges::find(systems, base.text) == systems.end())
      refuse_event(text_, base, "is no event and no system of tracepoints", with(systems, event_names()));
    refuse_event(text_, name, fmt::format("is no tracepoint of {}", base.text), tracepoints_.names(base.text));
  }

  static std::string with_remedy(const Unreadable& why) {
    const std::string remedy = why.remedy.empty() ? std::string() : ": " + why.remedy;
    return why.fact + remedy + (why.to_users ? ", or run as root" : "");
  }

  static std::vector<std::string> with(std::vector<std::string> names, const std::vector<std::string>& more) {
    names.insert(names.end(), more.begin(), more.end());
    return names;
  }

  std::vector<std::string> event_names() const {
    std::vector<std::string> names = generic_event_names();
    for (const Pmu& pmu : pmus_) names = with(std::move(names), pmu.alias_names());
    return with(std::move(names), libpfm_event_names());
  }

  std::vector<std::string> names_with_terms() const {
    std::vector<std::string> names = generic_event_names();
    for (const Pmu& pmu : pmus_) names.push_back(pmu.name());
    return names;
  }

  std::string_view text_;
  std::vector<Pmu> pmus_;
  Tracepoints tracepoints_;
  bool is_hybrid_ = false;
};

}  // namespace

std::vector<EventRequest> parse_events(std::string_view text, const EventSources& sources) {
  return Parser(text, sources).requests();
}

}  // namespace perfsift::record
