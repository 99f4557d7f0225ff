#include "record/events/event_terms.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "base/error.h"
#include "record/events/event_refusal.h"
#include "record/events/generic_events.h"
#include "record/events/perf_terms.h"
#include "record/events/trace_units.h"

namespace perfsift::record {

namespace {

// A value of an alias that the user must give: "event=0x2,core=?".
bool is_open(const EventTerm& term) { return term.value && term.value->text == "?"; }

// The terms of an alias as sysfs has them.
std::vector<EventTerm> terms_in(const std::string& text) {
  return read_events("alias/" + text + "/").front().events.front().terms.value_or(std::vector<EventTerm>());
}

class PmuEvent {
 public:
  PmuEvent(std::string_view text, const Pmu& pmu, bool is_hybrid) : text_(text), pmu_(pmu), is_hybrid_(is_hybrid) {
    draft_.request.attr.type = pmu.type();
    draft_.request.pmu = pmu.name();
    draft_.request.cpus = pmu.cpus();
    draft_.is_of_core = pmu.is_core();
  }

  EventDraft take(const std::vector<EventTerm>& terms) {
    apply_defaults();
    for (const EventTerm& term : terms)
      if (!term.value) apply_alias(term.name);
    for (const EventTerm& term : terms) apply(term);
    require_given(terms);
    if (is_arm_spe(pmu_.name())) draft_.request.trace = trace_terms(terms);
    return std::move(draft_);
  }

 private:
  // Without pt and branch, Intel PT records nothing that can be decoded: intel_pt_pmu_default_config() in
  // tools/perf/arch/x86/util/intel-pt.c, which also sets periods that the processor supports.
  void apply_defaults() {
    if (pmu_.name() != "intel_pt") return;
    for (const char* name : {"tsc", "pt", "branch"})
      if (const auto format = pmu_.format(name)) format->put(1, draft_.request.attr);
  }

  // arm_spe_pmu__sample_period() and arm_spe_recording_options() in tools/perf/arch/arm64/util/arm-spe.c. A driver that
  // names no least interval may have that of the largest PMSIDR_EL1.INTERVAL.
  TraceTerms trace_terms(const std::vector<EventTerm>& terms) const {
    constexpr std::uint64_t usual_interval = 4096;
    const auto bits_of = [&](std::string_view name) {
      reader::EventAttr attr;
      if (const auto format = pmu_.format(name)) format->put(format->most(), attr);
      return attr.config;
    };
    const bool times_given = std::ranges::any_of(terms, [](const auto& term) { return term.name.text == "ts_enable"; });
    return {.interval = pmu_.capability("min_interval").value_or(usual_interval),
            .timestamps = times_given ? 0 : bits_of("ts_enable"),
            .physical_addresses = bits_of("pa_enable")};
  }

  void apply_alias(const Word& name) {
    const auto alias = pmu_.alias(name.text);
    if (!alias) return;
    for (const EventTerm& term : known_terms(name, *alias)) {
      if (is_open(term))
        open_.push_back(term.name.text);
      else
        apply_of_alias(name, term);
    }
    draft_.request.unit = alias->unit;
    draft_.request.scale = alias->scale;
  }

  std::vector<EventTerm> known_terms(const Word& name, const PmuAlias& alias) const {
    try {
      return terms_in(alias.terms);
    } catch (const UsageError&) {
      refuse_event(text_, name, fmt::format("is an alias of PMU {} that cannot be read", pmu_.name()));
    }
  }

  void apply_of_alias(const Word& name, const EventTerm& term) {
    const auto format = pmu_.format(term.name.text);
    const EventTerm here{.name = {.text = term.name.text, .at = name.at},
                         .value = term.value ? std::optional(Word{term.value->text, name.at}) : std::nullopt};
    if (format)
      format->put(number_of_term(text_, here, format->most()), draft_.request.attr);
    else if (!apply_perf_term(text_, here, draft_))
      refuse_event(text_, name, fmt::format("is an alias of PMU {} that has an unknown term", pmu_.name()));
  }

  void apply(const EventTerm& term) {
    if (!term.value && pmu_.alias(term.name.text)) return;
    if (const auto format = pmu_.format(term.name.text)) return apply_format(term, *format);
    if (apply_perf_term(text_, term, draft_) || apply_event(term)) return;
    refuse_event(text_, term.name, fmt::format("is no term of PMU {}", pmu_.name()), names());
  }

  void apply_format(const EventTerm& term, const PmuFormat& format) {
    if (!term.value && format.width() > 1)
      refuse_event(text_, term.name, fmt::format("needs a value of {} bits", format.width()));
    format.put(number_of_term(text_, term, format.most()), draft_.request.attr);
  }

  // cpu/r1a8/, cpu_core/cycles/, cpu/L1-dcache-loads/
  bool apply_event(const EventTerm& term) {
    if (term.value) return false;
    reader::EventAttr& attr = draft_.request.attr;
    if (const auto raw = raw_event(term.name.text)) {
      attr.config = *raw;
      return true;
    }
    const auto generic = generic_event(term.name.text);
    if (!pmu_.is_core() || !generic || generic->type == reader::event_type::software) return false;
    attr.type = generic->type;
    attr.config = generic->config | (is_hybrid_ ? std::uint64_t{pmu_.type()} << 32 : 0);
    return true;
  }

  void require_given(const std::vector<EventTerm>& terms) const {
    for (const std::string& name : open_) {
      const auto is_given = [&](const EventTerm& term) { return term.name.text == name && term.value; };
      if (!std::ranges::any_of(terms, is_given))
        refuse_event(text_, terms.front().name, fmt::format("needs the term {}=NUMBER", name));
    }
  }

  std::vector<std::string> names() const {
    std::vector<std::string> names = pmu_.format_names();
    std::ranges::copy(pmu_.alias_names(), std::back_inserter(names));
    std::ranges::copy(perf_term_names(), std::back_inserter(names));
    if (pmu_.is_core()) std::ranges::copy(generic_event_names(), std::back_inserter(names));
    return names;
  }

  std::string_view text_;
  const Pmu& pmu_;
  bool is_hybrid_;
  EventDraft draft_;
  std::vector<std::string> open_;
};

}  // namespace

EventDraft pmu_event(std::string_view text, const Pmu& pmu, const std::vector<EventTerm>& terms, bool is_hybrid) {
  return PmuEvent(text, pmu, is_hybrid).take(terms);
}

void apply_terms(std::string_view text, const std::vector<EventTerm>& terms, EventDraft& draft) {
  for (const EventTerm& term : terms)
    if (!apply_perf_term(text, term, draft))
      refuse_event(text, term.name, "is no term of this event", perf_term_names());
}

}  // namespace perfsift::record
