#include "tools/check/budget_check.h"

#include <fmt/format.h>

#include "analysis/budget/assertion_judge.h"
#include "analysis/budget/function_measures.h"
#include "analysis/budget/quality_measures.h"
#include "analysis/budget/sample_counts.h"
#include "analysis/budget/wait_lengths.h"
#include "analysis/samples/frame_table.h"
#include "reader/recording.h"

namespace perfsift::tools {
namespace {

using analysis::MeasuredValue;
using filter::MeasureOf;

// All values of a budget on one side.
class SideMeasures {
 public:
  SideMeasures(const filter::Budget& budget, const BudgetSide& side, const BudgetReading& reading)
      : budget_(budget), side_(side), reading_(reading), samples_(budget), waits_(budget) {
    if (!needs_recordings()) return;
    for (const InputReport& report : side.reports) read(report);
  }

  MeasuredValue of(std::size_t number) const {
    const filter::Assertion& assertion = budget_.assertions[number];
    if (assertion.of == MeasureOf::function) return measure_function(assertion, reading_.stacks, side_.runs);
    if (assertion.of == MeasureOf::quality) return measure_quality(assertion, side_.runs);
    if (!unreadable_.empty()) return MeasuredValue::not_known(unreadable_);
    return assertion.of == MeasureOf::waits ? waits_.measured(number) : samples_.measured(number);
  }

 private:
  bool asks_samples() const { return budget_.needs(MeasureOf::samples) || budget_.needs(MeasureOf::memory); }
  bool needs_recordings() const { return asks_samples() || budget_.needs(MeasureOf::waits); }

  void read(const InputReport& report) {
    if (report.kind != analysis::InputKind::recording || report.path == "-") {
      unreadable_ = fmt::format("{} is {}, and single samples are needed: use recordings in files", report.path,
                                report.path == "-" ? "a stream" : analysis::kind_name(report.kind));
      return;
    }
    const auto recording = reader::Recording::open(report.path);
    if (budget_.needs(MeasureOf::waits)) waits_.count(*recording, reading_.symbolizer);
    if (!asks_samples()) return;
    const auto is_counted = [&](const reader::Event& event) {
      return analysis::foldable(event.name) == reading_.event;
    };
    samples_.count(*recording, reading_.symbolizer,
                   {.selection = reading_.selection, .is_counted = is_counted, .threads = reading_.threads});
  }

  const filter::Budget& budget_;
  const BudgetSide& side_;
  const BudgetReading& reading_;
  analysis::SampleCounter samples_;
  analysis::WaitCounter waits_;
  std::string unreadable_;  // why single samples are not known
};

}  // namespace

std::vector<analysis::AssertionResult> judge_budget(const filter::Budget& budget, const BudgetSide* before,
                                                    const BudgetSide& after, const BudgetReading& reading) {
  std::optional<SideMeasures> measured_before;
  if (before != nullptr && budget.needs_baseline()) measured_before.emplace(budget, *before, reading);
  const SideMeasures measured_after(budget, after, reading);
  std::vector<analysis::AssertionResult> results;
  for (std::size_t i = 0; i < budget.assertions.size(); ++i) {
    const filter::Assertion& assertion = budget.assertions[i];
    std::optional<MeasuredValue> of_before;
    if (measured_before && assertion.limit.of_baseline) of_before = measured_before->of(i);
    results.push_back(
        analysis::judge_assertion(assertion, budget.origin, measured_after.of(i), of_before ? &*of_before : nullptr));
  }
  return results;
}

}  // namespace perfsift::tools
