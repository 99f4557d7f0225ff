#include "output/gate/remark.h"

#include <algorithm>
#include <utility>

#include "base/printable_utf8.h"
#include "output/gate/assertion_text.h"
#include "output/gate/verdict_text.h"

namespace perfsift::output {
namespace {

using analysis::Finding;
using analysis::FindingKind;
using analysis::Outcome;
using analysis::Verdict;

// Indexes into the table of rules.
struct RuleOf {
  static constexpr std::size_t costs_more = 0, undecided = 1, other_change = 2, assertion = 3, data = 4, comparison = 5,
                               drifts = 6;
};

constexpr RemarkRule table_of_rules[] = {
    {"function-costs-more",
     "A function costs significantly more than in the baseline, by at least the minimum effect."},
    {"function-undecided", "Too few samples to decide whether a function costs more than in the baseline."},
    {"function-changed",
     "A function changed, but does not cost more: cheaper, renamed, inlined or shifted between callers."},
    {"budget", "An assertion of the budget."},
    {"data-quality", "The recordings cannot be compared, or are incomplete."},
    {"comparison", "The comparison of all functions with the baseline."},
    {"function-drifts",
     "A function costs significantly more from run to run of the history, in all by at least the minimum effect."},
};

RemarkKind kind_of_remark(Outcome outcome) {
  if (outcome == Outcome::passed) return RemarkKind::passed;
  return outcome == Outcome::failed ? RemarkKind::failed : RemarkKind::cannot_judge;
}

class Remarks {
 public:
  explicit Remarks(const Verdict& verdict) : verdict_(verdict) {
    if (!verdict.after.runs.empty()) candidate_ = printable_utf8(verdict.after.runs.front());
  }

  std::vector<Remark> all() {
    for (const analysis::Reason& reason : verdict_.reasons) {
      add(reason.tolerated ? RemarkKind::note : RemarkKind::cannot_judge, RuleOf::data, reason.key,
          reason.tolerated ? "tolerated: " + reason.text : reason.text + ": " + reason.advice);
    }
    for (const analysis::AssertionResult& result : verdict_.assertions) {
      add(kind_of_remark(result.outcome), RuleOf::assertion, result.text, assertion_sentence(result));
      remarks_.back().file = printable_utf8(result.file);
      remarks_.back().line = result.line;
      remarks_.back().column = result.column;
    }
    for (const Finding& finding : verdict_.findings) add(finding);
    add_comparison();
    return std::move(remarks_);
  }

 private:
  void add(RemarkKind kind, std::size_t rule, std::string_view subject, std::string_view text) {
    remarks_.push_back({.kind = kind,
                        .rule = rule,
                        .subject = printable_utf8(subject),
                        .text = printable_utf8(text),
                        .file = candidate_,
                        .line = 0,
                        .column = 0});
  }

  void add(const Finding& finding) {
    const bool more = finding.kind == FindingKind::dearer || finding.kind == FindingKind::added;
    const bool drifts = finding.kind == FindingKind::drifting;
    const bool undecided = finding.kind == FindingKind::undecided;
    const bool fails = more || (drifts && verdict_.rules.drift_fails) || (undecided && verdict_.rules.undecided_fails);
    add(fails ? RemarkKind::failed : RemarkKind::note,
        more        ? RuleOf::costs_more
        : drifts    ? RuleOf::drifts
        : undecided ? RuleOf::undecided
                    : RuleOf::other_change,
        finding.function.name, finding_sentence(finding, verdict_.rules));
  }

  // A comparison without findings has a result, too.
  void add_comparison() {
    if (verdict_.before.runs.empty()) return;
    const bool judged = std::ranges::all_of(verdict_.reasons, &analysis::Reason::tolerated);
    const bool any_failed = std::ranges::any_of(remarks_, [](const Remark& remark) {
      return remark.kind == RemarkKind::failed && remark.rule != RuleOf::assertion;
    });
    if (!judged || any_failed) return;
    add(RemarkKind::passed, RuleOf::comparison, "all functions", "no function costs more");
  }

  const Verdict& verdict_;
  std::string candidate_;
  std::vector<Remark> remarks_;
};

}  // namespace

std::span<const RemarkRule> remark_rules() { return table_of_rules; }

std::vector<Remark> remarks_of(const Verdict& verdict) { return Remarks(verdict).all(); }

}  // namespace perfsift::output
