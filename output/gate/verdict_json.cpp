#include "output/gate/verdict_json.h"

#include <string_view>

#include "base/printable_utf8.h"

namespace perfsift::output {
namespace {

using analysis::Finding;
using analysis::FindingKind;
using analysis::FunctionName;
using analysis::MatchedBy;
using analysis::NormalisedBy;
using analysis::Outcome;
using analysis::Spread;

std::string_view word(Outcome outcome) {
  if (outcome == Outcome::passed) return "passed";
  return outcome == Outcome::failed ? "failed" : "cannot_judge";
}

std::string_view word(FindingKind kind) {
  switch (kind) {
    case FindingKind::dearer:
      return "dearer";
    case FindingKind::added:
      return "added";
    case FindingKind::drifting:
      return "drifting";
    case FindingKind::earlier_step:
      return "earlier_step";
    case FindingKind::cheaper:
      return "cheaper";
    case FindingKind::gone:
      return "gone";
    case FindingKind::undecided:
      return "undecided";
    case FindingKind::shifted:
      return "shifted";
    case FindingKind::renamed:
      return "renamed";
    case FindingKind::inlined:
      return "inlined";
  }
  return {};
}

std::string_view word(MatchedBy by) {
  if (by == MatchedBy::name) return "name";
  return by == MatchedBy::binary ? "binary" : "calls";
}

std::string_view word(analysis::AssertionUnit unit) {
  if (unit == analysis::AssertionUnit::percent) return "percent";
  return unit == analysis::AssertionUnit::nanoseconds ? "nanoseconds" : "count";
}

std::string_view word(Spread spread) {
  if (spread == Spread::repeats) return "repeats";
  return spread == Spread::time_blocks ? "time_blocks" : "draw";
}

std::string_view word(NormalisedBy normaliser) {
  if (normaliser == NormalisedBy::unchanged) return "unchanged";
  return normaliser == NormalisedBy::samples ? "samples" : "runs";
}

Json json_of(const FunctionName& function) { return function_json(function); }
Json json_of(const analysis::Estimate& estimate) { return estimate_json(estimate); }

Json json_of(const analysis::SideShare& side) { return {{"samples", side.samples}, {"share", side.share}}; }

Json json_of(const analysis::StackUnder& stack) {
  Json frames = Json::array();
  for (const std::string& frame : stack.frames) frames.push_back(printable_utf8(frame));
  return {{"frames", std::move(frames)}, {"before", json_of(stack.before)}, {"after", json_of(stack.after)}};
}

Json json_of(const std::string& note) { return printable_utf8(note); }
Json json_of(const Finding& finding);
Json json_of(const analysis::Reason& reason);
Json json_of(const analysis::AssertionResult& result);

template <typename Part>
Json list_of(const std::vector<Part>& parts) {
  Json list = Json::array();
  for (const Part& part : parts) list.push_back(json_of(part));
  return list;
}

Json json_of(const Finding& finding) {
  Json json{{"kind", word(finding.kind)},
            {"function", json_of(finding.function)},
            {"part", finding.part == analysis::Part::self ? "self" : "total"},
            {"before", json_of(finding.before)},
            {"after", json_of(finding.after)},
            {"effect", json_of(finding.effect)},
            {"ratio", finding.ratio ? json_of(*finding.ratio) : Json()},
            {"p", finding.p},
            {"adjusted_p", finding.adjusted_p},
            {"match", Json()},
            {"absorbed", list_of(finding.absorbed)},
            {"callers", list_of(finding.callers)},
            {"stacks", list_of(finding.stacks)},
            {"needed", Json()}};
  if (finding.match) json["match"] = {{"before", json_of(finding.match->before)}, {"by", word(finding.match->by)}};
  if (finding.runs != 0) json["runs"] = finding.runs;
  if (finding.needed) json["needed"] = {{"samples", finding.needed->samples}, {"repeats", finding.needed->repeats}};
  return json;
}

Json json_of(const analysis::Reason& reason) {
  return {{"key", reason.key},
          {"text", printable_utf8(reason.text)},
          {"advice", printable_utf8(reason.advice)},
          {"tolerated", reason.tolerated}};
}

Json json_of(const analysis::AssertionResult& result) {
  return {{"text", printable_utf8(result.text)},
          {"file", printable_utf8(result.file)},
          {"line", result.line},
          {"column", result.column},
          {"outcome", word(result.outcome)},
          {"unit", word(result.unit)},
          {"measured", result.measured ? json_of(*result.measured) : Json()},
          {"limit", result.limit ? Json(*result.limit) : Json()},
          {"explanation", printable_utf8(result.explanation)}};
}

Json json_of(const analysis::SideSummary& side) {
  Json runs = Json::array();
  for (const std::string& run : side.runs) runs.push_back(printable_utf8(run));
  return {{"runs", std::move(runs)}, {"samples", side.samples}, {"interrupts", side.interrupts}};
}

Json json_of(const analysis::Rules& rules) {
  return {{"level", rules.level},
          {"min_effect", rules.min_effect},
          {"min_ratio", rules.min_ratio},
          {"min_samples", rules.min_samples},
          {"exact_names", rules.exact_names},
          {"per", rules.per_run ? "run" : "share"},
          {"interrupts", rules.with_interrupts ? "keep" : "drop"},
          {"history", rules.history},
          {"drift", rules.drift_fails ? "fail" : "note"},
          {"undecided", rules.undecided_fails ? "fail" : "pass"}};
}

}  // namespace

Json function_json(const FunctionName& function) {
  return {{"symbol", printable_utf8(function.name)}, {"dso", printable_utf8(function.binary)}};
}

Json estimate_json(const analysis::Estimate& estimate) {
  return {{"value", estimate.value}, {"low", estimate.low}, {"high", estimate.high}};
}

Json verdict_json(const analysis::Verdict& verdict, const std::vector<std::string>& notes) {
  return {{"outcome", word(verdict.outcome)},
          {"event", printable_utf8(verdict.event)},
          {"reasons", list_of(verdict.reasons)},
          {"findings", list_of(verdict.findings)},
          {"assertions", list_of(verdict.assertions)},
          {"baseline", json_of(verdict.before)},
          {"candidate", json_of(verdict.after)},
          {"rules", json_of(verdict.rules)},
          {"tests", verdict.tests},
          {"spread", word(verdict.spread)},
          {"normalised_by", word(verdict.normalised_by)},
          {"total_ratio", verdict.total_ratio ? json_of(*verdict.total_ratio) : Json()},
          {"notes", list_of(notes)}};
}

}  // namespace perfsift::output
