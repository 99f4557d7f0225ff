// What makes two sides incomparable: losses, other machines, noise that cannot be estimated.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/gate/run.h"
#include "analysis/gate/verdict.h"

namespace perfsift::analysis {

// How much of a run may be missing, in percent, before the run cannot be judged.
struct QualityLimits {
  static constexpr double lost = 1, throttled = 1, cut = 5, unnamed = 20;
  static constexpr double build = 10;  // stacks that end in a binary without frame pointers, on one side only
};

// The words of --allow, in the order in which reasons are checked.
std::span<const std::string_view> tolerable_reasons();

// All reasons, tolerated ones, too. `allowed`: keys. `event`: that was compared.
std::vector<Reason> reasons_against(const GateSide& before, const GateSide& after, std::string_view event,
                                    const Rules& rules, const std::set<std::string, std::less<>>& allowed);

// The same about one side alone, which is compared with nothing.
std::vector<Reason> reasons_about(const GateSide& candidate, const std::set<std::string, std::less<>>& allowed);

// Nothing of a comparison could be tested, so that it found nothing; otherwise nothing.
std::optional<Reason> nothing_tested(const Verdict& compared, const std::set<std::string, std::less<>>& allowed);

// No event is on both sides.
Reason different_events(const std::vector<std::string>& before, const std::vector<std::string>& after);

}  // namespace perfsift::analysis
