#include "analysis/gate/significance.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace perfsift::analysis {
namespace {

double samples_of(const Contrast& contrast) { return contrast.samples.before + contrast.samples.after; }

// The growth that the functions show on average.
double growth_of(const std::vector<Contrast>& functions) {
  double beyond = 0, samples = 0;
  for (const Contrast& function : functions) {
    beyond += function.freedom * (function.dispersion - 1);
    samples += function.freedom * samples_of(function);
  }
  return samples > 0 ? std::max(beyond / samples, 0.0) : 0;
}

std::optional<Estimate> ratio_of(const Contrast& contrast, double dispersion, double limit) {
  if (contrast.cost.before <= 0) return std::nullopt;
  const double ratio = contrast.cost.after / contrast.cost.before;
  if (ratio <= 0) return Estimate{};
  const double relative = contrast.draws.before / (contrast.cost.before * contrast.cost.before) +
                          contrast.draws.after / (contrast.cost.after * contrast.cost.after);
  const double factor = std::exp(limit * std::sqrt(dispersion * relative));
  return Estimate{.value = ratio, .low = ratio / factor, .high = ratio * factor};
}

}  // namespace

Noise::Noise(const std::vector<Contrast>& functions, Spread spread, Yardstick yardstick)
    : spread_(spread), apart_(yardstick == Yardstick::runs) {
  if (spread != Spread::repeats) return;
  growth_ = growth_of(functions);
  std::vector<double> relative;
  double freedom = std::numeric_limits<double>::infinity();
  for (const Contrast& function : functions) {
    if (function.freedom <= 0) continue;
    relative.push_back(function.dispersion / usual(function));
    freedom = std::min(freedom, function.freedom);
  }
  if (!relative.empty()) common_ = common_variance(relative, freedom);
}

double Noise::usual(const Contrast& contrast) const { return 1 + growth_ * samples_of(contrast); }

Noise::Dispersion Noise::of(const Contrast& contrast) const {
  if (spread_ == Spread::draw || contrast.freedom <= 0)
    return {
        .value = std::max(usual(contrast) * common_.variance, 1.0),
        .freedom = spread_ == Spread::draw ? std::numeric_limits<double>::infinity() : std::max(common_.freedom, 1.0)};
  if (spread_ == Spread::time_blocks || apart_)
    return {.value = std::max(contrast.dispersion, 1.0), .freedom = contrast.freedom};
  const double expected = usual(contrast);
  return {.value = std::max(expected * common_.moderated(contrast.dispersion / expected, contrast.freedom), 1.0),
          .freedom = common_.moderated_freedom(contrast.freedom)};
}

Measured measure(const Contrast& contrast, const Noise& noise, const Yard& yard, double level) {
  const double scale = yard.whole.before > 0 ? yard.sums.before / yard.whole.before : 0;
  const Noise::Dispersion dispersion = noise.of(contrast);
  const double limit = student_limit(level, dispersion.freedom);
  Measured measured{.before = contrast.cost.before * scale,
                    .deviation = std::sqrt(contrast.variance(dispersion.value)) * scale,
                    .freedom = dispersion.freedom};
  const double effect = contrast.difference * scale;
  measured.effect = {
      .value = effect, .low = effect - limit * measured.deviation, .high = effect + limit * measured.deviation};
  measured.ratio = ratio_of(contrast, dispersion.value, limit);
  if (measured.deviation > 0) measured.p = student_tails(effect / measured.deviation, dispersion.freedom);
  return measured;
}

}  // namespace perfsift::analysis
