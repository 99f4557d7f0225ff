// The judgement on two sides. Start here.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "analysis/gate/run.h"
#include "analysis/gate/stack_table.h"
#include "analysis/gate/verdict.h"

namespace perfsift::analysis {

// Compares the samples of one event, without those in interrupts unless the rules say so. `allowed`: the keys of
// reasons that are tolerated. The outcome is not set: see conclude(), for which assertions may be added first.
Verdict judge(const GateStacks& stacks, const GateSide& before, const GateSide& after, std::string_view event,
              const Rules& rules, const std::set<std::string, std::less<>>& allowed);

// One side alone, for a budget: what the recordings lack, and how much there is.
Verdict look_at(const GateSide& candidate, std::string_view event, const Rules& rules,
                const std::set<std::string, std::less<>>& allowed);

}  // namespace perfsift::analysis
