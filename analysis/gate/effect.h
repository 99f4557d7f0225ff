// The difference between the costs of something on both sides, and its noise.
//
// A cost is the number of samples x divided by the normaliser u: see normaliser.h. The difference of x / u between the
// sides is linear in the replicates, so the replicates tell its variance: that of a ratio estimator (Cochran, Sampling
// Techniques, chapter 6). The variance is given as a multiple of what independent samples would have, the dispersion,
// which functions of different size have in common.
#pragma once

#include "analysis/gate/normaliser.h"
#include "analysis/gate/replicates.h"

namespace perfsift::analysis {

struct Effect {
  Both<double> samples;   // of x
  Both<double> cost;      // x / u
  double difference = 0;  // of the costs
  double draw = 0;        // variance of the difference, if samples were drawn independently of each other
  Both<double> draws;     // the part of each side
  double dispersion = 1;  // the variance that the replicates show, divided by `draw`
  double freedom = 0;     // of the dispersion; 0: not known

  double variance(double with_dispersion) const { return draw * with_dispersion; }
};

// `x`: the samples in question; `shared`: how many of them are samples of the normaliser, too.
Effect effect_of(const Replicates& replicates, const Series& x, const Normaliser& normaliser,
                 const Both<double>& shared);

}  // namespace perfsift::analysis
