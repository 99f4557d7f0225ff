#include "analysis/gate/normaliser.h"

#include <algorithm>
#include <cmath>

#include "analysis/gate/effect.h"
#include "analysis/gate/statistics.h"

namespace perfsift::analysis {
namespace {

// How much a function changed in relation to all samples.
struct LogRatio {
  FunctionId function = 0;
  double value = 0;
  double variance = 0;
  Both<double> samples;
};

// The noise of a function with fewer samples is too large to tell what did not change.
constexpr std::uint64_t telling_samples = 30;
constexpr std::size_t majority_of = 3;

Normaliser all_samples(const MatchedStacks& stacks) {
  Normaliser all{.kind = NormalisedBy::samples,
                 .series = stacks.replicates().series([](std::uint32_t) { return true; }),
                 .changed = std::vector<bool>(stacks.functions())};
  all.sums = all.samples = stacks.replicates().sums(all.series);
  return all;
}

std::vector<LogRatio> log_ratios(MatchedStacks& stacks, const std::vector<FunctionSums>& sums, const Normaliser& all) {
  std::vector<FunctionSeries> subjects;
  for (FunctionId function = 0; function < sums.size(); ++function) {
    if (sums[function].self.before + sums[function].self.after >= telling_samples)
      subjects.push_back({.function = function, .part = Part::self, .series = {}});
  }
  fill_series(stacks, subjects);
  std::vector<LogRatio> ratios;
  for (const FunctionSeries& subject : subjects) {
    const Effect change = effect_of(stacks.replicates(), subject.series, all, stacks.replicates().sums(subject.series));
    // Half a sample more keeps the logarithm of 0 away.
    const double before = change.samples.before + 0.5, after = change.samples.after + 0.5;
    ratios.push_back({.function = subject.function,
                      .value = std::log(after / all.sums.after) - std::log(before / all.sums.before),
                      .variance = std::max(change.dispersion, 1.0) * (1 / before + 1 / after),
                      .samples = change.samples});
  }
  return ratios;
}

// Where most functions are. Functions of many samples have the same vote: one large function is no majority.
double first_centre(const std::vector<LogRatio>& ratios) {
  constexpr double precise_enough = 0.05 * 0.05;
  std::vector<std::pair<double, double>> votes;
  for (const LogRatio& ratio : ratios) votes.emplace_back(ratio.value, 1 / (ratio.variance + precise_enough));
  return weighted_median(std::move(votes));
}

// Whether chance is unlikely to move a function of the normaliser so far.
bool is_far(const LogRatio& ratio, double centre) {
  constexpr double deviations = 3, always_near = 0.01;
  const double distance = std::abs(ratio.value - centre);
  return distance > always_near && distance > deviations * std::sqrt(ratio.variance);
}

// The change of all samples but those of changed functions.
double centre_without(const std::vector<LogRatio>& ratios, const std::vector<bool>& changed, const Both<double>& all) {
  Both<double> rest = all;
  for (const LogRatio& ratio : ratios) {
    if (!changed[ratio.function]) continue;
    rest.before -= ratio.samples.before;
    rest.after -= ratio.samples.after;
  }
  return std::log(std::max(rest.after, 1.0) / all.after) - std::log(std::max(rest.before, 1.0) / all.before);
}

std::vector<bool> find_changed(const std::vector<LogRatio>& ratios, std::size_t functions, const Both<double>& all) {
  constexpr int most_rounds = 10;
  std::vector<bool> changed(functions);
  double centre = first_centre(ratios);
  for (int round = 0; round < most_rounds; ++round) {
    std::vector<bool> now(functions);
    for (const LogRatio& ratio : ratios) now[ratio.function] = is_far(ratio, centre);
    if (now == changed && round != 0) break;
    changed = std::move(now);
    centre = centre_without(ratios, changed, all);
  }
  return changed;
}

}  // namespace

Normaliser choose_normaliser(MatchedStacks& stacks, const std::vector<FunctionSums>& sums, const Rules& rules) {
  const Replicates& replicates = stacks.replicates();
  Normaliser all = all_samples(stacks);
  if (rules.per_run) {
    all.kind = NormalisedBy::runs;
    all.series.assign(replicates.size(), 1);
    all.sums = replicates.sums(all.series);
    return all;
  }
  const std::vector<LogRatio> ratios = log_ratios(stacks, sums, all);
  if (ratios.size() < majority_of) return all;
  Normaliser normaliser{.kind = NormalisedBy::unchanged,
                        .samples = all.sums,
                        .changed = find_changed(ratios, stacks.functions(), all.sums)};
  normaliser.series = replicates.series([&](std::uint32_t stack) {
    const FunctionId leaf = stacks.leaf(stack);
    return leaf == MatchedStacks::none || !normaliser.changed[leaf];
  });
  normaliser.sums = replicates.sums(normaliser.series);
  // A normaliser of few samples would make all changes uncertain.
  constexpr double least = 0.05;
  const bool enough =
      normaliser.sums.before >= least * all.sums.before && normaliser.sums.after >= least * all.sums.after;
  return enough ? normaliser : all;
}

std::vector<Both<double>> shared_samples(MatchedStacks& stacks, const std::vector<FunctionSeries>& subjects,
                                         const Normaliser& normaliser) {
  std::vector<Both<double>> self(stacks.functions()), total(stacks.functions());
  for (std::uint32_t stack = 0; stack < stacks.size(); ++stack) {
    const FunctionId leaf = stacks.leaf(stack);
    if (leaf == MatchedStacks::none || normaliser.changed[leaf]) continue;
    const Both<std::uint64_t>& samples = stacks.replicates().samples(stack);
    self[leaf] += samples;
    stacks.for_each_function(stack, [&](FunctionId function) { total[function] += samples; });
  }
  std::vector<Both<double>> shared;
  for (const FunctionSeries& subject : subjects)
    shared.push_back((subject.part == Part::self ? self : total)[subject.function]);
  return shared;
}

}  // namespace perfsift::analysis
