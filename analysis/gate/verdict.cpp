#include "analysis/gate/verdict.h"

#include <algorithm>

namespace perfsift::analysis {

bool Verdict::any(FindingKind kind) const {
  return std::ranges::any_of(findings, [&](const Finding& finding) { return finding.kind == kind; });
}

void conclude(Verdict& verdict) {
  const auto any_assertion = [&](Outcome outcome) {
    return std::ranges::any_of(verdict.assertions,
                               [&](const AssertionResult& result) { return result.outcome == outcome; });
  };
  const bool unusable = std::ranges::any_of(verdict.reasons, [](const Reason& reason) { return !reason.tolerated; });
  const bool slower = verdict.any(FindingKind::dearer) || verdict.any(FindingKind::added);
  const bool drifts = verdict.rules.drift_fails && verdict.any(FindingKind::drifting);
  const bool undecided = verdict.rules.undecided_fails && verdict.any(FindingKind::undecided);
  if (unusable) {
    verdict.outcome = Outcome::cannot_judge;
  } else if (slower || drifts || undecided || any_assertion(Outcome::failed)) {
    verdict.outcome = Outcome::failed;
  } else {
    verdict.outcome = any_assertion(Outcome::cannot_judge) ? Outcome::cannot_judge : Outcome::passed;
  }
}

}  // namespace perfsift::analysis
