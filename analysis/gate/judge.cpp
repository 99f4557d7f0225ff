#include "analysis/gate/judge.h"

#include <optional>
#include <utility>

#include "analysis/gate/comparison.h"
#include "analysis/gate/matching.h"
#include "analysis/gate/reasons.h"
#include "analysis/gate/replicates.h"

namespace perfsift::analysis {
namespace {

SideSummary summary_of(const GateSide& side) {
  SideSummary summary{.runs = {}, .samples = side.samples(), .interrupts = side.interrupts()};
  for (const Run& run : side.runs) summary.runs.push_back(run.name);
  return summary;
}

Verdict judge_all(const GateStacks& stacks, const GateSide& before, const GateSide& after, std::string_view event,
                  const Rules& rules, const std::set<std::string, std::less<>>& allowed) {
  Verdict verdict{.event = std::string(event),
                  .reasons = reasons_against(before, after, event, rules, allowed),
                  .before = summary_of(before),
                  .after = summary_of(after),
                  .rules = rules};
  const Spread spread = spread_of(before, after);
  const bool comparable = verdict.before.samples != 0 && verdict.after.samples != 0;
  if (!comparable || (rules.per_run && spread != Spread::repeats)) return verdict;
  const Replicates replicates(stacks, before, after, spread);
  const FunctionNames names = rules.exact_names ? FunctionNames::recorded : FunctionNames::common;
  compare_functions(replicates, match_functions(replicates, names), verdict);
  if (std::optional<Reason> reason = nothing_tested(verdict, allowed)) verdict.reasons.push_back(std::move(*reason));
  return verdict;
}

}  // namespace

Verdict judge(const GateStacks& stacks, const GateSide& before, const GateSide& after, std::string_view event,
              const Rules& rules, const std::set<std::string, std::less<>>& allowed) {
  if (rules.with_interrupts || !stacks.any_interrupt()) return judge_all(stacks, before, after, event, rules, allowed);
  return judge_all(stacks, without_interrupts(before, stacks), without_interrupts(after, stacks), event, rules,
                   allowed);
}

Verdict look_at(const GateSide& candidate, std::string_view event, const Rules& rules,
                const std::set<std::string, std::less<>>& allowed) {
  return {.event = std::string(event),
          .reasons = reasons_about(candidate, allowed),
          .before = {},
          .after = summary_of(candidate),
          .rules = rules};
}

}  // namespace perfsift::analysis
