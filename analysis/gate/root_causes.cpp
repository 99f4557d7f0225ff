#include "analysis/gate/root_causes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

#include "analysis/gate/statistics.h"

namespace perfsift::analysis {
namespace {

constexpr std::size_t shown_stacks = 5;

// The interval contains both no effect and one that matters.
bool is_undecided(const Measured& measured, double adjusted_p, const Rules& rules) {
  return adjusted_p > rules.level && measured.effect.high >= least_effect(measured, rules);
}

// The samples or repeats that show the smallest effect that matters with a power of 80 %.
Needed needed_for(const Tested& test, const Both<std::uint64_t>& samples, const Both<std::size_t>& runs,
                  const Rules& rules) {
  constexpr double one_sided_fifth = 0.8416212335729143;  // of the normal distribution, 20 % are beyond
  const double limit = student_limit(rules.level, test.measured.freedom) + one_sided_fifth;
  const double times = std::pow(limit * test.measured.deviation / least_effect(test.measured, rules), 2);
  const auto scaled = [&](double count) {
    return static_cast<std::uint64_t>(std::min(std::ceil(std::max(times, 1.0) * count), 1e18));
  };
  const auto fewer = static_cast<double>(std::min(samples.before, samples.after));
  return {.samples = scaled(fewer), .repeats = scaled(static_cast<double>(std::max(runs.before, runs.after)))};
}

class RootCauses {
 public:
  RootCauses(MatchedStacks& stacks, const Matching& matching, const Normaliser& normaliser, const Noise& noise,
             const History* history, const Rules& rules)
      : stacks_(stacks),
        matching_(matching),
        normaliser_(normaliser),
        noise_(noise),
        history_(history),
        rules_(rules),
        explained_(stacks.size(), none) {}

  std::vector<Finding> find(const std::vector<Tested>& tested) {
    const std::vector<Tested> ordered = callees_first(tested);
    index_stacks(ordered);
    for (const Change change : all_changes) {
      for (const Tested& test : ordered) {
        if (shows(test, change)) take(test, change);
      }
    }
    add_matches(tested);
    return std::move(findings_);
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  // The kinds of change, in the order in which they are looked for.
  enum class Change : std::uint8_t {
    step,          // the candidate differs from the baseline
    drift,         // the cost grows over the history
    earlier_step,  // the cost stepped up in the history, and the candidate costs as much as the runs since then
    undecided,
  };
  static constexpr std::array all_changes{Change::step, Change::drift, Change::earlier_step, Change::undecided};

  bool shows(const Tested& test, Change change) const {
    const double least = least_effect(test.measured, rules_);
    const TrendShape shape = test.trend ? test.trend->history.shape : TrendShape::flat;
    const bool drifts = shape == TrendShape::line;
    const bool changes = is_change(test.measured, test.adjusted_p, rules_);
    switch (change) {
      case Change::step:
        return changes && !(drifts && test.measured.effect.value > 0 && !history_->is_step(*test.trend, least));
      case Change::drift:
        return drifts;
      case Change::earlier_step:
        return shape == TrendShape::level && !changes && test.trend->history.jump >= least;
      case Change::undecided:
        return !drifts && is_undecided(test.measured, test.adjusted_p, rules_);
    }
    return false;
  }

  bool shows_any(const Tested& test) const {
    return std::ranges::any_of(all_changes, [&](Change change) { return shows(test, change); });
  }

  // Own samples first, the largest effect first; then totals, the smallest first.
  static std::vector<Tested> callees_first(std::vector<Tested> tested) {
    std::ranges::stable_sort(tested, {}, [](const Tested& test) {
      const double samples = test.samples.before + test.samples.after;
      const double rank = test.part == Part::self ? -std::abs(test.measured.effect.value) : samples;
      return std::tuple(test.part, rank, test.function);
    });
    return tested;
  }

  // The stacks of the functions that may become findings: most functions are in few stacks.
  void index_stacks(const std::vector<Tested>& tested) {
    stacks_with_.resize(stacks_.functions());
    std::vector<bool> wanted(stacks_.functions());
    for (const Tested& test : tested) {
      const bool matched = match_of(test.function) || !absorbed_by(test.function).empty();
      if (matched || shows_any(test)) wanted[test.function] = true;
    }
    for (std::uint32_t stack = 0; stack < stacks_.size(); ++stack) {
      stacks_.for_each_function(stack, [&](FunctionId function) {
        if (wanted[function]) stacks_with_[function].push_back(stack);
      });
    }
  }

  template <typename Use>
  void for_each_stack(const Tested& test, Use&& use) const {
    for (const std::uint32_t stack : stacks_with_[test.function]) {
      if (test.part == Part::total || stacks_.leaf(stack) == test.function) use(stack);
    }
  }

  // The total without the stacks of root causes. A change that is left there is a change of its own.
  bool changes_without_root_causes(const Tested& test, Change change) const {
    const Replicates& replicates = stacks_.replicates();
    Series rest(replicates.size());
    Both<double> shared;
    for_each_stack(test, [&](std::uint32_t stack) {
      if (explained_[stack] != none) return;
      replicates.add(stack, rest);
      const FunctionId leaf = stacks_.leaf(stack);
      if (leaf != MatchedStacks::none && normaliser_.changed[leaf]) return;
      shared += replicates.samples(stack);
    });
    Tested tested{.function = test.function, .part = test.part};
    tested.measured = measure(effect_of(replicates, rest, normaliser_, shared), noise_, normaliser_, rules_.level);
    if (history_ != nullptr) {
      tested.trend = history_->trend(rest);
      history_->compare_with_level(*tested.trend, tested.measured);
      history_->find_drift(rest, tested.trend->p, least_effect(tested.measured, rules_), *tested.trend);
    }
    tested.adjusted_p = tested.measured.p;
    const bool same_direction = tested.measured.effect.value * test.measured.effect.value > 0;
    return shows(tested, change) && (same_direction || change != Change::step);
  }

  void take(const Tested& test, Change change) {
    if (test.part == Part::total && !changes_without_root_causes(test, change)) {
      if (change == Change::step || change == Change::drift) add_caller(test);
      return;
    }
    const auto number = static_cast<std::uint32_t>(findings_.size());
    findings_.push_back(finding(test, change));
    for_each_stack(test, [&](std::uint32_t stack) {
      if (explained_[stack] == none) explained_[stack] = number;
    });
  }

  // Adds the caller to the finding that explains most of its samples.
  void add_caller(const Tested& test) {
    std::vector<std::uint64_t> samples(findings_.size());
    for_each_stack(test, [&](std::uint32_t stack) {
      if (explained_[stack] == none) return;
      const Both<std::uint64_t>& both = stacks_.replicates().samples(stack);
      samples[explained_[stack]] += both.before + both.after;
    });
    const auto most = std::ranges::max_element(samples);
    if (most == samples.end() || *most == 0) return;
    Finding& cause = findings_[static_cast<std::size_t>(most - samples.begin())];
    const FunctionName caller = stacks_.name_of(test.function);
    if (caller != cause.function) cause.callers.push_back(caller);
  }

  FindingKind kind_of(const Tested& test, Change change) const {
    if (change == Change::undecided) return FindingKind::undecided;
    if (change == Change::drift) return FindingKind::drifting;
    if (change == Change::earlier_step) return FindingKind::earlier_step;
    if (test.measured.effect.value > 0) return test.samples.before == 0 ? FindingKind::added : FindingKind::dearer;
    return test.samples.after == 0 ? FindingKind::gone : FindingKind::cheaper;
  }

  Finding finding(const Tested& test, Change change) const {
    const Both<std::uint64_t>& all = stacks_.replicates().samples();
    Finding finding{.kind = kind_of(test, change),
                    .function = stacks_.name_of(test.function),
                    .part = test.part,
                    .before = SideShare::of(static_cast<std::uint64_t>(test.samples.before), all.before),
                    .after = SideShare::of(static_cast<std::uint64_t>(test.samples.after), all.after),
                    .effect = test.measured.effect,
                    .ratio = test.measured.ratio,
                    .p = test.measured.p,
                    .adjusted_p = test.adjusted_p};
    finding.match = match_of(test.function);
    finding.absorbed = absorbed_by(test.function);
    finding.stacks = stacks_under(test);
    if (test.trend) set_trend(test, *test.trend, change, finding);
    if (change == Change::undecided) finding.needed = needed_for(test, all, stacks_.replicates().runs(), rules_);
    return finding;
  }

  // Adds the trend of the history to a finding.
  void set_trend(const Tested& test, const CostTrend& trend, Change change, Finding& finding) const {
    if (change == Change::drift) {
      finding.effect = trend.growth;
      finding.ratio = trend.ratio;
      finding.p = trend.p;
      finding.adjusted_p = trend.adjusted_p;
      finding.runs = history_->runs();
    } else if (change == Change::earlier_step) {
      finding.runs = trend.history.runs;
    } else if (change == Change::step && test.measured.effect.value > 0 && trend.history.shape == TrendShape::line) {
      finding.effect = history_->step(trend);
      finding.ratio.reset();
    }
  }

  std::optional<FunctionMatch> match_of(FunctionId function) const {
    const auto pair = std::ranges::find(matching_.renamed, function, &MatchedPair::after);
    if (pair == matching_.renamed.end()) return std::nullopt;
    return FunctionMatch{.before = stacks_.name_of(pair->before), .by = pair->by};
  }

  std::vector<FunctionName> absorbed_by(FunctionId function) const {
    std::vector<FunctionName> names;
    for (const InlinedPair& pair : matching_.inlined) {
      if (pair.caller == function) names.push_back(stacks_.name_of(pair.function));
    }
    return names;
  }

  // The ways from the root to the function, the largest change first. A function that calls itself is one step.
  std::vector<StackUnder> stacks_under(const Tested& test) const {
    std::map<std::vector<FunctionId>, Both<std::uint64_t>> ways;
    for_each_stack(test, [&](std::uint32_t stack) {
      std::span<const FunctionId> way = stacks_.replicates().stacks().functions_of(stack);
      if (test.part == Part::total) way = way.first(stacks_.depth_of(stack, test.function));
      std::vector<FunctionId> matched;
      for (const FunctionId function : way) {
        const FunctionId same = matching_.same_as[function];
        if (matched.empty() || matched.back() != same) matched.push_back(same);
      }
      ways[matched] += stacks_.replicates().samples(stack);
    });
    return first_ways(ways);
  }

  std::vector<StackUnder> first_ways(const std::map<std::vector<FunctionId>, Both<std::uint64_t>>& ways) const {
    const Both<std::uint64_t>& all = stacks_.replicates().samples();
    std::vector<StackUnder> stacks;
    std::vector<std::pair<double, const std::vector<FunctionId>*>> order;
    for (const auto& [way, samples] : ways) {
      const double change =
          SideShare::of(samples.after, all.after).share - SideShare::of(samples.before, all.before).share;
      order.emplace_back(std::abs(change), &way);
    }
    std::ranges::stable_sort(order, std::ranges::greater{}, [](const auto& each) { return each.first; });
    for (std::size_t i = 0; i < std::min(order.size(), shown_stacks); ++i) {
      const Both<std::uint64_t>& samples = ways.at(*order[i].second);
      StackUnder under{.before = SideShare::of(samples.before, all.before),
                       .after = SideShare::of(samples.after, all.after)};
      for (const FunctionId function : *order[i].second) under.frames.push_back(stacks_.name_of(function).name);
      stacks.push_back(std::move(under));
    }
    return stacks;
  }

  // Functions with another name or place, whose cost did not change.
  void add_matches(const std::vector<Tested>& tested) {
    for (const Tested& test : tested) {
      const bool known = std::ranges::any_of(
          findings_, [&](const Finding& finding) { return finding.function == stacks_.name_of(test.function); });
      if (known) continue;
      const bool renamed = match_of(test.function).has_value();
      if (!renamed && absorbed_by(test.function).empty()) continue;
      findings_.push_back(finding(test, Change::step));
      findings_.back().kind = renamed ? FindingKind::renamed : FindingKind::inlined;
    }
  }

  MatchedStacks& stacks_;
  const Matching& matching_;
  const Normaliser& normaliser_;
  const Noise& noise_;
  const History* history_;
  const Rules& rules_;
  std::vector<std::vector<std::uint32_t>> stacks_with_;  // by function
  std::vector<std::uint32_t> explained_;                 // by stack: the finding that explains its change
  std::vector<Finding> findings_;
};

}  // namespace

double least_effect(const Measured& measured, const Rules& rules) {
  return std::max(rules.min_effect, rules.min_ratio * measured.before);
}

bool is_change(const Measured& measured, double adjusted_p, const Rules& rules) {
  return adjusted_p <= rules.level && std::abs(measured.effect.value) >= least_effect(measured, rules);
}

std::vector<Finding> find_root_causes(MatchedStacks& stacks, const Matching& matching, const Normaliser& normaliser,
                                      const Noise& noise, const History* history, const std::vector<Tested>& tested,
                                      const Rules& rules) {
  return RootCauses(stacks, matching, normaliser, noise, history, rules).find(tested);
}

}  // namespace perfsift::analysis
