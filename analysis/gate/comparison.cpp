#include "analysis/gate/comparison.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "analysis/gate/culprits.h"
#include "analysis/gate/history.h"
#include "analysis/gate/significance.h"
#include "analysis/gate/yardstick.h"

namespace perfsift::analysis {
namespace {

double share(std::uint64_t samples, std::uint64_t all) {
  return all != 0 ? static_cast<double>(samples) / static_cast<double>(all) : 0;
}

// A change of a function of less samples cannot reach the minimum effect, or could not be told from chance. Such
// functions are not tested, so that what is tested has to be corrected for less tests. The choice depends on the sum of
// both sides only, and therefore not on a difference.
bool is_worth_a_test(const Both<std::uint64_t>& samples, const Both<std::uint64_t>& all, const Rules& rules) {
  if (samples.before + samples.after < rules.min_samples) return false;
  return share(samples.before, all.before) + share(samples.after, all.after) >= rules.min_effect;
}

std::vector<FunctionSeries> subjects_of(MatchedStacks& stacks, const Rules& rules) {
  const std::vector<FunctionSums> sums = function_sums(stacks);
  const Both<std::uint64_t>& all = stacks.units().samples();
  std::vector<FunctionSeries> subjects;
  for (FunctionId function = 0; function < sums.size(); ++function) {
    const auto& [self, total] = sums[function];
    if (is_worth_a_test(self, all, rules)) subjects.push_back({.function = function, .part = Part::self, .series = {}});
    const bool same = self.before == total.before && self.after == total.after;
    // What is in all stacks has no share that could change.
    const bool everything = !rules.per_run && total.before == all.before && total.after == all.after;
    if (!same && !everything && is_worth_a_test(total, all, rules))
      subjects.push_back({.function = function, .part = Part::total, .series = {}});
  }
  fill_series(stacks, subjects);
  return subjects;
}

// The cost of everything.
Measured measure_whole(const Units& units, const ChosenYard& chosen, const Noise& noise, double level) {
  const Series all = units.series([](std::uint32_t) { return true; });
  return measure(contrast(units, all, chosen.yard, chosen.yard.sums), noise, chosen.yard, level);
}

void sort_by_weight(std::vector<Finding>& findings) {
  std::ranges::stable_sort(findings, [](const Finding& a, const Finding& b) {
    if (a.kind != b.kind) return a.kind < b.kind;
    return std::abs(a.effect.value) > std::abs(b.effect.value);
  });
}

}  // namespace

void compare_functions(const Units& units, const Matching& matching, Verdict& verdict) {
  MatchedStacks stacks(units, matching);
  const Rules& rules = verdict.rules;
  const ChosenYard chosen = choose_yard(stacks, rules);
  std::vector<FunctionSeries> subjects = subjects_of(stacks, rules);
  const std::vector<Both<double>> shared = shared_samples(stacks, subjects, chosen);
  std::vector<Contrast> contrasts, own;
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    contrasts.push_back(contrast(units, subjects[i].series, chosen.yard, shared[i]));
    if (subjects[i].part == Part::self) own.push_back(contrasts.back());
  }
  const Noise noise(own.empty() ? contrasts : own, units.spread(), chosen.yard.kind);
  std::optional<History> history;
  if (History::fits(units, rules)) history.emplace(units, chosen.yard, rules);
  std::vector<Tested> tested;
  std::vector<double> p, trends;
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    tested.push_back({.function = subjects[i].function,
                      .part = subjects[i].part,
                      .samples = contrasts[i].samples,
                      .measured = measure(contrasts[i], noise, chosen.yard, rules.level)});
    Tested& test = tested.back();
    if (history) {
      test.course = history->course(subjects[i].series);
      history->compare_with_level(*test.course, test.measured);
      trends.push_back(test.course->p);
    }
    p.push_back(test.measured.p);
  }
  p.insert(p.end(), trends.begin(), trends.end());
  const std::vector<double> q = benjamini_hochberg(p);
  for (std::size_t i = 0; i < tested.size(); ++i) {
    tested[i].q = q[i];
    if (!history) continue;
    history->find_drift(subjects[i].series, q[tested.size() + i], least_effect(tested[i].measured, rules),
                        *tested[i].course);
  }

  verdict.tests = p.size();
  verdict.spread = units.spread();
  verdict.yardstick = chosen.yard.kind;
  verdict.before.samples = units.samples().before;
  verdict.after.samples = units.samples().after;
  if (chosen.yard.kind != Yardstick::samples) verdict.whole = measure_whole(units, chosen, noise, rules.level).ratio;
  verdict.findings = find_culprits(stacks, matching, chosen, noise, history ? &*history : nullptr, tested, rules);
  sort_by_weight(verdict.findings);
}

}  // namespace perfsift::analysis
