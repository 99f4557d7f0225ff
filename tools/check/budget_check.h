// Judges the assertions of a budget about the inputs of perfsift check.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "analysis/gate/run.h"
#include "analysis/gate/verdict.h"
#include "filter/budget/budget.h"
#include "filter/filter.h"
#include "symbolize/symbolizer.h"
#include "tools/input_profile.h"

namespace perfsift::tools {

// A side of the check, read already.
struct BudgetSide {
  const std::vector<analysis::Run>& runs;
  std::span<const InputReport> reports;
};

// How recordings are read once more, for assertions about single samples, waits and memory accesses.
struct BudgetReading {
  const analysis::GateStacks& stacks;  // of the runs
  symbolize::Symbolizer& symbolizer;
  const filter::Filter& selection;  // --filter
  std::string event;                // that is judged, as the profile names it
  unsigned threads = 1;
};

// `before`: null without a baseline. Throws InputError if a recording cannot be read again.
std::vector<analysis::AssertionResult> judge_budget(const filter::Budget& budget, const BudgetSide* before,
                                                    const BudgetSide& after, const BudgetReading& reading);

}  // namespace perfsift::tools
