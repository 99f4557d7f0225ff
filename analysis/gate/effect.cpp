#include "analysis/gate/effect.h"

#include <algorithm>
#include <cmath>

#include "analysis/gate/statistics.h"

namespace perfsift::analysis {
namespace {

double ratio(double part, double all) { return all > 0 ? part / all : 0; }

// What a replicate adds to the difference of a side's cost from the cost of the whole side.
std::vector<double> residuals(std::span<const double> x, std::span<const double> u, double cost, double all) {
  std::vector<double> each(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) each[i] = ratio(x[i] - cost * u[i], all);
  return each;
}

// The expected square of 1 - cost for a sample of x and the normaliser, 1 for one of x only, cost for the others.
double squares(double x, double shared, double u, double cost, bool sampled) {
  return sampled ? std::max(x - 2 * cost * shared + cost * cost * u, 0.0) : x;
}

struct SideResiduals {
  std::vector<double> before, after;
};

SeriesVariance paired_variance(const SideResiduals& residual) {
  std::vector<double> differences(residual.before.size());
  for (std::size_t i = 0; i < differences.size(); ++i) differences[i] = residual.after[i] - residual.before[i];
  return variance_of_sum(differences);
}

// The replicates of each side on its own. A side with one replicate, or without samples of x, tells nothing; both sides
// then have the dispersion of the other one.
void set_dispersion(const Effect& of, const SideResiduals& residual, bool in_time, Effect& into) {
  double weighed = 0, freedom = 0;
  const auto add = [&](const std::vector<double>& side, double draw) {
    if (side.size() < 2 || draw <= 0) return;
    SeriesVariance variance;
    if (in_time) {
      variance = variance_of_sum(side);
    } else {
      for (const double each : side) variance.variance += each * each;
      variance.freedom = static_cast<double>(side.size() - 1);
      variance.variance *= static_cast<double>(side.size()) / variance.freedom;
    }
    weighed += variance.freedom * variance.variance / draw;
    freedom += variance.freedom;
  };
  add(residual.before, of.draws.before);
  add(residual.after, of.draws.after);
  into.dispersion = freedom > 0 ? weighed / freedom : 1;
  into.freedom = freedom;
}

}  // namespace

Effect effect_of(const Replicates& replicates, const Series& x, const Normaliser& normaliser,
                 const Both<double>& shared) {
  const bool sampled = normaliser.kind != NormalisedBy::runs;
  const Both<double>& u = normaliser.sums;
  Effect result{.samples = replicates.sums(x)};
  const Both<double>& sum = result.samples;
  result.cost = {ratio(sum.before, u.before), ratio(sum.after, u.after)};
  result.difference = result.cost.after - result.cost.before;
  result.draws = {ratio(squares(sum.before, shared.before, u.before, result.cost.before, sampled), u.before * u.before),
                  ratio(squares(sum.after, shared.after, u.after, result.cost.after, sampled), u.after * u.after)};
  // Without a change, both sides together tell the cost best; with one, each side its own.
  const double all = u.before + u.after, common = ratio(sum.before + sum.after, all);
  const double of_common =
      ratio(squares(sum.before + sum.after, shared.before + shared.after, all, common, sampled), all);
  result.draw =
      std::max(result.draws.before + result.draws.after, of_common * (ratio(1, u.before) + ratio(1, u.after)));

  const std::span<const double> values(x), divisors(normaliser.series);
  const std::size_t middle = replicates.count().before;
  const SideResiduals residual{residuals(values.first(middle), divisors.first(middle), result.cost.before, u.before),
                               residuals(values.subspan(middle), divisors.subspan(middle), result.cost.after, u.after)};
  if (replicates.spread() == Spread::draw || result.draw <= 0) return result;
  if (replicates.paired()) {
    const SeriesVariance variance = paired_variance(residual);
    result.dispersion = ratio(variance.variance, result.draw);
    result.freedom = variance.freedom;
  } else {
    set_dispersion(result, residual, replicates.spread() == Spread::time_blocks, result);
  }
  return result;
}

}  // namespace perfsift::analysis
