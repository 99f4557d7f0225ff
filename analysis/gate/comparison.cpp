#include "analysis/gate/comparison.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "analysis/gate/culprits.h"
#include "analysis/gate/history.h"
#include "analysis/gate/moves.h"
#include "analysis/gate/significance.h"
#include "analysis/gate/yardstick.h"

namespace perfsift::analysis {
namespace {

// What is tested, and what is not. A change of a function of less samples cannot reach the minimum effect, or could not
// be told from chance. Such functions are not tested, so that what is tested has to be corrected for less tests. The
// choice depends on the sum of both sides only, and therefore not on a difference.
class Subjects {
 public:
  Subjects(MatchedStacks& stacks, const std::vector<FunctionSums>& sums, Verdict& verdict)
      : all_(stacks.units().samples()), rules_(verdict.rules), verdict_(verdict) {
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
    // What is in all stacks has no share that could change.
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
  const std::vector<FunctionSums> sums = function_sums(stacks);
  const ChosenYard chosen = choose_yard(stacks, sums, rules);
  std::vector<FunctionSeries> subjects = Subjects(stacks, sums, verdict).take();
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
  // Where nothing changed, the yardstick is everything, which cannot differ from itself.
  const bool any_change = std::ranges::find(chosen.changed, true) != chosen.changed.end();
  if (chosen.yard.kind == Yardstick::runs || any_change)
    verdict.whole = measure_whole(units, chosen, noise, rules.level).ratio;
  verdict.findings = find_culprits(stacks, matching, chosen, noise, history ? &*history : nullptr, tested, rules);
  const std::vector<Finding> moves = find_moves(stacks, sums, chosen, noise, rules, verdict.findings);
  verdict.findings.insert(verdict.findings.end(), moves.begin(), moves.end());
  sort_by_weight(verdict.findings);
}

}  // namespace perfsift::analysis
