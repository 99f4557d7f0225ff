#include "analysis/gate/significance.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace perfsift::analysis {
namespace {

double samples_of(const Effect& effect) { return effect.samples.before + effect.samples.after; }

// The growth that the functions show on average.
double growth_of(const std::vector<Effect>& functions) {
  double beyond = 0, samples = 0;
  for (const Effect& function : functions) {
    beyond += function.freedom * (function.dispersion - 1);
    samples += function.freedom * samples_of(function);
  }
  return samples > 0 ? std::max(beyond / samples, 0.0) : 0;
}

std::optional<Estimate> ratio_of(const Effect& effect, double dispersion, double limit) {
  if (effect.cost.before <= 0) return std::nullopt;
  const double ratio = effect.cost.after / effect.cost.before;
  if (ratio <= 0) return Estimate{};
  const double relative = effect.draws.before / (effect.cost.before * effect.cost.before) +
                          effect.draws.after / (effect.cost.after * effect.cost.after);
  const double factor = std::exp(limit * std::sqrt(dispersion * relative));
  return Estimate{.value = ratio, .low = ratio / factor, .high = ratio * factor};
}

}  // namespace

Noise::Noise(const std::vector<Effect>& functions, Spread spread, NormalisedBy normalised_by)
    : spread_(spread), apart_(normalised_by == NormalisedBy::runs) {
  if (spread != Spread::repeats) return;
  growth_ = growth_of(functions);
  std::vector<double> relative;
  double freedom = std::numeric_limits<double>::infinity();
  for (const Effect& function : functions) {
    if (function.freedom <= 0) continue;
    relative.push_back(function.dispersion / usual(function));
    freedom = std::min(freedom, function.freedom);
  }
  if (!relative.empty()) common_ = common_variance(relative, freedom);
}

double Noise::usual(const Effect& effect) const { return 1 + growth_ * samples_of(effect); }

Noise::Dispersion Noise::of(const Effect& effect) const {
  if (spread_ == Spread::draw || effect.freedom <= 0)
    return {
        .value = std::max(usual(effect) * common_.variance, 1.0),
        .freedom = spread_ == Spread::draw ? std::numeric_limits<double>::infinity() : std::max(common_.freedom, 1.0)};
  if (spread_ == Spread::time_blocks || apart_)
    return {.value = std::max(effect.dispersion, 1.0), .freedom = effect.freedom};
  const double expected = usual(effect);
  return {.value = std::max(expected * common_.moderated(effect.dispersion / expected, effect.freedom), 1.0),
          .freedom = common_.moderated_freedom(effect.freedom)};
}

Measured measure(const Effect& effect, const Noise& noise, const Normaliser& normaliser, double level) {
  const double scale = normaliser.scale();
  const Noise::Dispersion dispersion = noise.of(effect);
  const double limit = student_limit(level, dispersion.freedom);
  Measured measured{.before = effect.cost.before * scale,
                    .deviation = std::sqrt(effect.variance(dispersion.value)) * scale,
                    .freedom = dispersion.freedom};
  const double value = effect.difference * scale;
  measured.effect = {
      .value = value, .low = value - limit * measured.deviation, .high = value + limit * measured.deviation};
  measured.ratio = ratio_of(effect, dispersion.value, limit);
  if (measured.deviation > 0) measured.p = student_tails(value / measured.deviation, dispersion.freedom);
  return measured;
}

}  // namespace perfsift::analysis
