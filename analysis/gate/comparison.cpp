#include "analysis/gate/comparison.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "analysis/gate/caller_shifts.h"
#include "analysis/gate/history.h"
#include "analysis/gate/normaliser.h"
#include "analysis/gate/root_causes.h"
#include "analysis/gate/significance.h"

namespace perfsift::analysis {
namespace {

// The functions that are tested. A change of a function of fewer samples cannot reach the minimum effect, or could not
// be told from chance. Such functions are not tested, so that p-values are adjusted for fewer tests. The choice depends
// on the sum of both sides only, and therefore not on a difference.
class Subjects {
 public:
  Subjects(MatchedStacks& stacks, const std::vector<FunctionSums>& sums, Verdict& verdict)
      : all_(stacks.replicates().samples()), rules_(verdict.rules), verdict_(verdict) {
    for (FunctionId function = 0; function < sums.size(); ++function) {
      const auto& [self, total] = sums[function];
      add(function, Part::self, self);
      if (self.before != total.before || self.after != total.after) add(function, Part::total, total);
    }
    fill_series(stacks, series_);
  }

  std::vector<FunctionSeries> take() { return std::move(series_); }

 private:
  void add(FunctionId function, Part part, const Both<std::uint64_t>& samples) {
    if (shares_of(samples, all_) < rules_.min_effect) return;
    const bool is_all = samples.before == all_.before && samples.after == all_.after;
    if (is_all && part == Part::self) verdict_.one_function = true;
    // A function in all stacks has no share that could change.
    if (is_all && !rules_.per_run) return;
    const std::uint64_t both = samples.before + samples.after;
    if (both >= rules_.min_samples) {
      series_.push_back({.function = function, .part = part, .series = {}});
    } else {
      verdict_.most_untested = std::max(verdict_.most_untested, both);
    }
  }

  const Both<std::uint64_t>& all_;
  const Rules& rules_;
  Verdict& verdict_;
  std::vector<FunctionSeries> series_;
};

// The total cost.
Measured measure_total(const Replicates& replicates, const Normaliser& normaliser, const Noise& noise, double level) {
  const Series all = replicates.series([](std::uint32_t) { return true; });
  return measure(effect_of(replicates, all, normaliser, normaliser.sums), noise, normaliser, level);
}

void sort_by_weight(std::vector<Finding>& findings) {
  std::ranges::stable_sort(findings, [](const Finding& a, const Finding& b) {
    if (a.kind != b.kind) return a.kind < b.kind;
    return std::abs(a.effect.value) > std::abs(b.effect.value);
  });
}

}  // namespace

void compare_functions(const Replicates& replicates, const Matching& matching, Verdict& verdict) {
  MatchedStacks stacks(replicates, matching);
  const Rules& rules = verdict.rules;
  const std::vector<FunctionSums> sums = function_sums(stacks);
  const Normaliser normaliser = choose_normaliser(stacks, sums, rules);
  std::vector<FunctionSeries> subjects = Subjects(stacks, sums, verdict).take();
  const std::vector<Both<double>> shared = shared_samples(stacks, subjects, normaliser);
  std::vector<Effect> effects, own;
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    effects.push_back(effect_of(replicates, subjects[i].series, normaliser, shared[i]));
    if (subjects[i].part == Part::self) own.push_back(effects.back());
  }
  const Noise noise(own.empty() ? effects : own, replicates.spread(), normaliser.kind);
  std::optional<History> history;
  if (History::fits(replicates, rules)) history.emplace(replicates, normaliser, rules);
  std::vector<Tested> tested;
  std::vector<double> p, trends;
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    tested.push_back({.function = subjects[i].function,
                      .part = subjects[i].part,
                      .samples = effects[i].samples,
                      .measured = measure(effects[i], noise, normaliser, rules.level)});
    Tested& test = tested.back();
    if (history) {
      test.trend = history->trend(subjects[i].series);
      history->compare_with_level(*test.trend, test.measured);
      trends.push_back(test.trend->p);
    }
    p.push_back(test.measured.p);
  }
  p.insert(p.end(), trends.begin(), trends.end());
  const std::vector<double> adjusted = benjamini_hochberg(p);
  for (std::size_t i = 0; i < tested.size(); ++i) {
    tested[i].adjusted_p = adjusted[i];
    if (!history) continue;
    history->find_drift(subjects[i].series, adjusted[tested.size() + i], least_effect(tested[i].measured, rules),
                        *tested[i].trend);
  }

  verdict.tests = p.size();
  verdict.spread = replicates.spread();
  verdict.normalised_by = normaliser.kind;
  verdict.before.samples = replicates.samples().before;
  verdict.after.samples = replicates.samples().after;
  // Where nothing changed, the normaliser is all samples, which cannot differ from themselves.
  const bool any_change = std::ranges::find(normaliser.changed, true) != normaliser.changed.end();
  if (normaliser.kind == NormalisedBy::runs || any_change)
    verdict.total_ratio = measure_total(replicates, normaliser, noise, rules.level).ratio;
  verdict.findings =
      find_root_causes(stacks, matching, normaliser, noise, history ? &*history : nullptr, tested, rules);
  const std::vector<Finding> shifts = find_caller_shifts(stacks, sums, normaliser, noise, rules, verdict.findings);
  verdict.findings.insert(verdict.findings.end(), shifts.begin(), shifts.end());
  sort_by_weight(verdict.findings);
}

}  // namespace perfsift::analysis
