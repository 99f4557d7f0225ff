#include "output/gate/verdict_text.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/counted.h"
#include "base/printable.h"
#include "output/gate/assertion_text.h"

namespace perfsift::output {
namespace {

using analysis::Estimate;
using analysis::Finding;
using analysis::FindingKind;
using analysis::FunctionName;
using analysis::MatchedBy;
using analysis::NormalisedBy;
using analysis::Outcome;
using analysis::Part;
using analysis::Spread;
using analysis::Verdict;

constexpr std::string_view red = "\x1b[31m", green = "\x1b[32m", yellow = "\x1b[33m", no_colour = "\x1b[0m";

std::string percent(double share) { return fmt::format("{:.2f} %", 100 * share); }
std::string signed_percent(double share) { return fmt::format("{:+.2f} %", 100 * share); }

std::string_view verb_of(FindingKind kind) {
  switch (kind) {
    case FindingKind::dearer:
      return "costs more";
    case FindingKind::added:
      return "is new";
    case FindingKind::drifting:
      return "drifts";
    case FindingKind::earlier_step:
      return "is unchanged since a step in the history";
    case FindingKind::cheaper:
      return "costs less";
    case FindingKind::gone:
      return "is gone";
    case FindingKind::undecided:
      return "is undecided";
    case FindingKind::shifted:
      return "costs the same, shifted between callers";
    case FindingKind::renamed:
      return "is renamed, and costs the same";
    case FindingKind::inlined:
      return "costs the same, together with functions inlined on one side";
  }
  return {};
}

std::string_view matched_text(MatchedBy by) {
  switch (by) {
    case MatchedBy::name:
      return "the names differ in parameters or in the compiler's suffixes";
    case MatchedBy::binary:
      return "the same function in another binary";
    case MatchedBy::calls:
      return "the same callers, callees and cost";
  }
  return {};
}

// "1.042 times the baseline (1.010 to 1.070)"
std::string ratio_text(const Estimate& ratio, std::string_view reference) {
  return fmt::format("{:.3f} times {} ({:.3f} to {:.3f})", ratio.value, reference, ratio.low, ratio.high);
}

std::string_view colour_of(Outcome outcome) {
  if (outcome == Outcome::passed) return green;
  return outcome == Outcome::failed ? red : yellow;
}

class VerdictText {
 public:
  VerdictText(const Verdict& verdict, const TerminalStyle& style, TextWriter& out)
      : verdict_(verdict), style_(style), out_(out) {}

  void write(const std::vector<std::string>& notes) {
    headline();
    for (const std::string& sentence : method_sentences(verdict_)) out_.format("  {}\n", sentence);
    reasons();
    assertions();
    for (const Finding& finding : verdict_.findings) write(finding);
    if (notes.empty()) return;
    out_.character('\n');
    for (const std::string& note : notes) out_.format("{}\n", printable(note));
  }

 private:
  void headline() {
    coloured(colour_of(verdict_.outcome), outcome_text(verdict_.outcome));
    out_.format(": {}\n", summary());
  }

  void coloured(std::string_view colour, std::string_view text) {
    if (style_.colour) out_.text(colour);
    out_.text(text);
    if (style_.colour) out_.text(no_colour);
  }

  std::string summary() const {
    const auto untolerated =
        std::ranges::count_if(verdict_.reasons, [](const auto& reason) { return !reason.tolerated; });
    if (untolerated != 0) return counted(static_cast<std::uint64_t>(untolerated), "reason") + " below";
    const auto count = [&](FindingKind kind) {
      return static_cast<std::uint64_t>(std::ranges::count(verdict_.findings, kind, &Finding::kind));
    };
    std::vector<std::string> parts = assertion_summary();
    if (verdict_.before.runs.empty()) {
      return parts.empty() ? "there is nothing to compare with yet" : fmt::format("{}", fmt::join(parts, ", "));
    }
    if (const auto more = count(FindingKind::dearer) + count(FindingKind::added); more != 0)
      parts.push_back(counted(more, "function costs more", "functions cost more"));
    if (const auto drifts = count(FindingKind::drifting); drifts != 0)
      parts.push_back(counted(drifts, "function drifts", "functions drift"));
    if (const auto less = count(FindingKind::cheaper) + count(FindingKind::gone); less != 0)
      parts.push_back(counted(less, "function costs less", "functions cost less"));
    if (const auto open = count(FindingKind::undecided); open != 0)
      parts.push_back(counted(open, "function is undecided", "functions are undecided"));
    if (parts.empty())
      parts.push_back(fmt::format("no function costs more by {} of total cost", percent(verdict_.rules.min_effect)));
    if (const auto shifts = count(FindingKind::shifted); shifts != 0)
      parts.push_back(counted(shifts, "function shifted between callers", "functions shifted between callers"));
    return fmt::format("{}", fmt::join(parts, ", "));
  }

  std::vector<std::string> assertion_summary() const {
    std::vector<std::string> parts;
    const auto add = [&](Outcome outcome, std::string_view what) {
      const auto count = std::ranges::count(verdict_.assertions, outcome, &analysis::AssertionResult::outcome);
      if (count != 0)
        parts.push_back(counted(static_cast<std::uint64_t>(count), "assertion") + " " + std::string(what));
    };
    add(Outcome::failed, "failed");
    add(Outcome::cannot_judge, "cannot be judged");
    add(Outcome::passed, "passed");
    return parts;
  }

  void reasons() {
    for (const analysis::Reason& reason : verdict_.reasons) {
      out_.format("{}{}: {}\n", reason.tolerated ? "tolerated, " : "", reason.key, printable(reason.text));
      if (!reason.tolerated) out_.format("  {}\n", printable(reason.advice));
    }
  }

  void assertions() {
    for (const analysis::AssertionResult& result : verdict_.assertions) {
      coloured(colour_of(result.outcome), outcome_text(result.outcome));
      out_.format(": {}:{}: {}: {}\n", printable(result.file), result.line, printable(result.text),
                  assertion_sentence(result));
    }
  }

  void write(const Finding& finding) {
    out_.format("\n{}\n", finding_sentence(finding, verdict_.rules));
    out_.format("  {} ({}) before, {} ({}) after; p = {:.2g}, adjusted p = {:.2g}\n",
                counted(finding.before.samples, "sample"), percent(finding.before.share), finding.after.samples,
                percent(finding.after.share), finding.p, finding.adjusted_p);
    if (finding.match) {
      out_.format("  before: {}; {}\n", name_text(finding.match->before), matched_text(finding.match->by));
    }
    names("  with functions inlined on one side: {}\n", finding.absorbed);
    if (finding.needed) {
      out_.format("  {} samples or {} on each side would probably decide\n", finding.needed->samples,
                  counted(finding.needed->repeats, "run"));
    }
    if (finding.kind == FindingKind::drifting) {
      out_.format("  the trend rises over {}, without a step\n", counted(finding.runs, "run"));
    } else if (finding.kind == FindingKind::earlier_step) {
      out_.format("  the step was {} ago\n", counted(finding.runs, "run"));
    }
    names("  callers that changed only with this function: {}\n", finding.callers);
    for (const analysis::StackUnder& stack : finding.stacks) write(stack);
  }

  void names(fmt::format_string<std::string> format, const std::vector<FunctionName>& functions) {
    if (functions.empty()) return;
    std::vector<std::string> texts;
    for (const FunctionName& function : functions) texts.push_back(name_text(function));
    out_.format(format, fmt::format("{}", fmt::join(texts, ", ")));
  }

  void write(const analysis::StackUnder& stack) {
    std::vector<std::string> frames;
    for (const std::string& frame : stack.frames) frames.push_back(printable(frame));
    out_.format("  {:>8} -> {:>8}  {}\n", percent(stack.before.share), percent(stack.after.share),
                fmt::join(frames, ";"));
  }

  const Verdict& verdict_;
  const TerminalStyle& style_;
  TextWriter& out_;
};

}  // namespace

std::string name_text(const FunctionName& function) {
  const std::string name = printable(function.name);
  return function.binary.empty() ? name : fmt::format("{} [{}]", name, printable(function.binary));
}

std::string_view outcome_text(Outcome outcome) {
  if (outcome == Outcome::passed) return "passed";
  return outcome == Outcome::failed ? "failed" : "cannot judge";
}

std::string confidence_text(const analysis::Rules& rules) { return fmt::format("{:.10g} %", 100 - 100 * rules.level); }

std::string finding_sentence(const Finding& finding, const analysis::Rules& rules) {
  std::string sentence = fmt::format("{} {}{}: {} of total cost ({} interval {} to {})", name_text(finding.function),
                                     finding.part == Part::total ? "with its callees " : "", verb_of(finding.kind),
                                     signed_percent(finding.effect.value), confidence_text(rules),
                                     signed_percent(finding.effect.low), signed_percent(finding.effect.high));
  const bool both = finding.ratio && finding.kind != FindingKind::gone;
  const bool drifts = finding.kind == FindingKind::drifting;
  return both ? sentence + ", " + ratio_text(*finding.ratio, drifts ? "the first run" : "the baseline") : sentence;
}

// "12 samples (1.2 %)"
std::string interrupts_text(const analysis::SideSummary& side) {
  const auto share =
      analysis::SideShare::of(side.interrupts, side.interrupts + std::max<std::uint64_t>(side.samples, 1)).share;
  return fmt::format("{} ({})", counted(side.interrupts, "sample"), percent(share));
}

// Nothing if nothing was left out.
std::string left_out_sentence(const Verdict& verdict) {
  const analysis::SideSummary &before = verdict.before, &after = verdict.after;
  if (before.interrupts == 0 && after.interrupts == 0) return {};
  std::string sentence = "interrupts are not compared: ";
  if (!before.runs.empty()) sentence += interrupts_text(before) + " before, ";
  return sentence + interrupts_text(after) + (before.runs.empty() ? "" : " after");
}

std::vector<std::string> method_sentences(const Verdict& verdict) {
  const auto side = [](const analysis::SideSummary& of) {
    return fmt::format("{} in {}", counted(of.samples, "sample"), counted(of.runs.size(), "run"));
  };
  std::vector<std::string> sentences;
  if (verdict.event.empty()) return sentences;  // the sides have none in common
  if (verdict.before.runs.empty()) {
    sentences.push_back(fmt::format("{}: {}", printable(verdict.event), side(verdict.after)));
  } else {
    sentences.push_back(
        fmt::format("{}: {} before, {} after", printable(verdict.event), side(verdict.before), side(verdict.after)));
  }
  if (std::string left_out = left_out_sentence(verdict); !left_out.empty()) sentences.push_back(std::move(left_out));
  if (verdict.tests == 0) return sentences;
  const std::string_view spread = verdict.spread == Spread::repeats       ? "repeated runs"
                                  : verdict.spread == Spread::time_blocks ? "time blocks of a run"
                                                                          : "independent samples";
  const std::string_view normaliser = verdict.normalised_by == NormalisedBy::unchanged ? "functions that did not change"
                                      : verdict.normalised_by == NormalisedBy::samples ? "all samples"
                                                                                       : "runs of equal work";
  sentences.push_back(fmt::format("{} at a level of {}; noise is estimated from {}; costs are normalised by {}",
                                  counted(verdict.tests, "test"), percent(verdict.rules.level), spread, normaliser));
  if (verdict.normalised_by == NormalisedBy::samples && !verdict.findings.empty()) {
    sentences.push_back(
        "effects are differences of shares of all samples: a function that costs more makes all other shares smaller");
  }
  if (verdict.total_ratio) sentences.push_back("total cost: " + ratio_text(*verdict.total_ratio, "the baseline"));
  return sentences;
}

void write_verdict_text(const Verdict& verdict, const std::vector<std::string>& notes, const TerminalStyle& style,
                        TextWriter& out) {
  VerdictText(verdict, style, out).write(notes);
}

}  // namespace perfsift::output
