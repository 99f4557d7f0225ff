// Whether the cost of a function changed by more than chance.
#pragma once

#include <optional>
#include <vector>

#include "analysis/gate/contrast.h"
#include "analysis/gate/function_samples.h"
#include "analysis/gate/statistics.h"
#include "analysis/gate/yardstick.h"

namespace perfsift::analysis {

// How noisy functions are in relation to a plain draw of samples, as all of them together tell.
//
// Runs differ by some percent, which adds little to the noise of functions of few samples, and much to that of others:
// the usual dispersion grows with the number of samples. What functions differ in beyond that is moderated.
class Noise {
 public:
  // Chance is a plain draw.
  Noise() = default;
  // Runs that take longer make all functions dearer together: by the yardstick of runs, functions tell nothing about
  // each other's noise.
  Noise(const std::vector<Contrast>& functions, Spread spread, Yardstick yardstick);

  struct Dispersion {
    double value = 1;  // at least 1: sampling at equal distances can be steadier than a draw, but need not be so again
    double freedom = 0;
  };
  Dispersion of(const Contrast& contrast) const;

 private:
  double usual(const Contrast& contrast) const;

  Spread spread_ = Spread::draw;
  bool apart_ = false;  // each function tells its own noise
  double growth_ = 0;   // of the dispersion, with each sample
  CommonVariance common_;
};

// A change in parts of the baseline's whole cost.
struct Measured {
  Estimate effect;
  std::optional<Estimate> ratio;
  double before = 0;     // the cost in the baseline
  double deviation = 0;  // of the effect
  double freedom = 0;
  double p = 1;
};
Measured measure(const Contrast& contrast, const Noise& noise, const Yard& yard, double level);

}  // namespace perfsift::analysis
