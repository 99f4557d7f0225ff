// Whether the cost of a function changed by more than chance.
#pragma once

#include <optional>
#include <vector>

#include "analysis/gate/effect.h"
#include "analysis/gate/function_samples.h"
#include "analysis/gate/normaliser.h"
#include "analysis/gate/statistics.h"

namespace perfsift::analysis {

// How noisy functions are in relation to independent samples, as all functions together tell.
//
// Runs differ by some percent, which adds little to the noise of functions of few samples, and much to that of others:
// the usual dispersion grows with the number of samples. Further differences between functions are moderated.
class Noise {
 public:
  // Samples are independent.
  Noise() = default;
  // Runs that take longer make all functions dearer together: where costs are normalised by runs, functions tell
  // nothing about each other's noise.
  Noise(const std::vector<Effect>& functions, Spread spread, NormalisedBy normalised_by);

  struct Dispersion {
    double value = 1;  // at least 1: sampling at equal distances can be steadier than a draw, but need not be so again
    double freedom = 0;
  };
  Dispersion of(const Effect& effect) const;

 private:
  double usual(const Effect& effect) const;

  Spread spread_ = Spread::draw;
  bool apart_ = false;  // each function tells its own noise
  double growth_ = 0;   // of the dispersion, with each sample
  CommonVariance common_;
};

// A change in parts of the baseline's total cost.
struct Measured {
  Estimate effect;
  std::optional<Estimate> ratio;
  double before = 0;     // the cost in the baseline
  double deviation = 0;  // of the effect
  double freedom = 0;
  double p = 1;
};
Measured measure(const Effect& effect, const Noise& noise, const Normaliser& normaliser, double level);

}  // namespace perfsift::analysis
