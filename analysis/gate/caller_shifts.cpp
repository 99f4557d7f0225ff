#include "analysis/gate/caller_shifts.h"

#include <algorithm>
#include <map>
#include <utility>

#include "analysis/gate/root_causes.h"
#include "analysis/gate/statistics.h"

namespace perfsift::analysis {
namespace {

constexpr std::uint32_t none = ~std::uint32_t{0};

// A function below one of its callers.
struct Pair {
  FunctionId caller = 0, function = 0;
  Both<std::uint64_t> samples;
  Series series;
  Both<double> shared;  // how many of the samples are samples of the normaliser, too
  Measured measured;
  double adjusted_p = 1;
};

class CallerShifts {
 public:
  CallerShifts(const MatchedStacks& stacks, const std::vector<FunctionSums>& sums, const Normaliser& normaliser,
               const Noise& noise, const Rules& rules)
      : stacks_(stacks), sums_(sums), normaliser_(normaliser), noise_(noise), rules_(rules) {}

  std::vector<Finding> find(const std::vector<Finding>& known) {
    number_functions(known);
    choose_pairs();
    fill_series();
    test();
    return findings();
  }

 private:
  bool is_worth_a_test(const Both<std::uint64_t>& samples) const {
    return samples.before + samples.after >= rules_.min_samples &&
           shares_of(samples, stacks_.replicates().samples()) >= rules_.min_effect;
  }

  // A pair has at most the samples of each of its functions.
  void number_functions(const std::vector<Finding>& known) {
    for (FunctionId function = 0; function < sums_.size(); ++function) {
      if (is_worth_a_test(sums_[function].total)) functions_.push_back(function);
    }
    std::ranges::stable_sort(functions_, std::ranges::greater(), [&](FunctionId function) {
      return sums_[function].total.before + sums_[function].total.after;
    });
    functions_.resize(std::min(functions_.size(), most_shifting_functions));
    numbers_.assign(sums_.size(), none);
    is_known_.assign(sums_.size(), false);
    for (std::uint32_t number = 0; number < functions_.size(); ++number) {
      const FunctionId function = functions_[number];
      numbers_[function] = number;
      is_known_[function] = std::ranges::find(known, stacks_.name_of(function), &Finding::function) != known.end();
    }
  }

  std::size_t places() const { return functions_.size() * functions_.size(); }
  FunctionId caller_at(std::size_t place) const { return functions_[place / functions_.size()]; }
  FunctionId function_at(std::size_t place) const { return functions_[place % functions_.size()]; }

  // Calls use(place) once for each pair of a stack. `seen`: by place, for the calls of all stacks.
  template <typename Use>
  void for_each_pair(std::uint32_t stack, std::vector<std::uint32_t>& seen, Use&& use) const {
    FunctionId caller = MatchedStacks::none;
    stacks_.for_each_frame(stack, [&](FunctionId function) {
      const FunctionId above = std::exchange(caller, function);
      if (above == MatchedStacks::none || above == function || is_known_[function]) return;
      if (numbers_[above] == none || numbers_[function] == none) return;
      const std::size_t place = numbers_[above] * functions_.size() + numbers_[function];
      if (std::exchange(seen[place], stack + 1) != stack + 1) use(place);
    });
  }

  // A cost cannot shift from the only caller of a function.
  void choose_pairs() {
    std::vector<Both<std::uint64_t>> samples(places());
    std::vector<std::uint32_t> seen(places());
    for (std::uint32_t stack = 0; stack < stacks_.size(); ++stack) {
      for_each_pair(stack, seen, [&](std::size_t place) { samples[place] += stacks_.replicates().samples(stack); });
    }
    std::map<FunctionId, std::size_t> callers;
    for (std::size_t place = 0; place < places(); ++place) {
      if (is_worth_a_test(samples[place])) ++callers[function_at(place)];
    }
    pair_at_.assign(places(), none);
    for (std::size_t place = 0; place < places(); ++place) {
      if (!is_worth_a_test(samples[place]) || callers[function_at(place)] < 2) continue;
      pair_at_[place] = static_cast<std::uint32_t>(pairs_.size());
      pairs_.push_back({.caller = caller_at(place),
                        .function = function_at(place),
                        .samples = samples[place],
                        .series = Series(stacks_.replicates().size()),
                        .shared = {},
                        .measured = {}});
    }
  }

  void fill_series() {
    if (pairs_.empty()) return;
    std::vector<std::uint32_t> seen(places());
    for (std::uint32_t stack = 0; stack < stacks_.size(); ++stack) {
      const FunctionId leaf = stacks_.leaf(stack);
      const bool is_shared = leaf != MatchedStacks::none && !normaliser_.changed[leaf];
      for_each_pair(stack, seen, [&](std::size_t place) {
        if (pair_at_[place] == none) return;
        Pair& pair = pairs_[pair_at_[place]];
        stacks_.replicates().add(stack, pair.series);
        if (is_shared) pair.shared += stacks_.replicates().samples(stack);
      });
    }
  }

  void test() {
    std::vector<double> p;
    for (Pair& pair : pairs_) {
      const Effect change = effect_of(stacks_.replicates(), pair.series, normaliser_, pair.shared);
      pair.measured = measure(change, noise_, normaliser_, rules_.level);
      p.push_back(pair.measured.p);
    }
    const std::vector<double> adjusted = benjamini_hochberg(p);
    for (std::size_t i = 0; i < pairs_.size(); ++i) pairs_[i].adjusted_p = adjusted[i];
  }

  std::vector<Finding> findings() const {
    std::map<FunctionId, std::vector<const Pair*>> changes;
    for (const Pair& pair : pairs_) {
      if (is_change(pair.measured, pair.adjusted_p, rules_)) changes[pair.function].push_back(&pair);
    }
    std::vector<Finding> findings;
    for (auto& [function, pairs] : changes) {
      std::ranges::stable_sort(pairs, std::ranges::greater(),
                               [](const Pair* pair) { return pair->measured.effect.value; });
      const bool shifted = pairs.front()->measured.effect.value > 0 && pairs.back()->measured.effect.value < 0;
      if (shifted) findings.push_back(finding(function, pairs));
    }
    return findings;
  }

  // `pairs`: the largest increase first.
  Finding finding(FunctionId function, const std::vector<const Pair*>& pairs) const {
    const Both<std::uint64_t>& all = stacks_.replicates().samples();
    const Both<std::uint64_t>& total = sums_[function].total;
    Finding finding{.kind = FindingKind::shifted,
                    .function = stacks_.name_of(function),
                    .part = Part::total,
                    .before = SideShare::of(total.before, all.before),
                    .after = SideShare::of(total.after, all.after),
                    .effect = pairs.front()->measured.effect,
                    .ratio = {},
                    .p = pairs.front()->measured.p,
                    .adjusted_p = pairs.front()->adjusted_p};
    for (const Pair* pair : pairs) {
      finding.stacks.push_back({.frames = {stacks_.name_of(pair->caller).name, finding.function.name},
                                .before = SideShare::of(pair->samples.before, all.before),
                                .after = SideShare::of(pair->samples.after, all.after)});
    }
    return finding;
  }

  const MatchedStacks& stacks_;
  const std::vector<FunctionSums>& sums_;
  const Normaliser& normaliser_;
  const Noise& noise_;
  const Rules& rules_;
  std::vector<FunctionId> functions_;   // the largest ones
  std::vector<std::uint32_t> numbers_;  // by function: the index in functions_, or none
  std::vector<bool> is_known_;          // by function
  // Places are those of a table with a row for each caller and a column for each function.
  std::vector<std::uint32_t> pair_at_;  // by place: the index in pairs_, or none
  std::vector<Pair> pairs_;
};

}  // namespace

std::vector<Finding> find_caller_shifts(const MatchedStacks& stacks, const std::vector<FunctionSums>& sums,
                                        const Normaliser& normaliser, const Noise& noise, const Rules& rules,
                                        const std::vector<Finding>& known) {
  return CallerShifts(stacks, sums, normaliser, noise, rules).find(known);
}

}  // namespace perfsift::analysis
