// The difference between what something costs on both sides, and how large chance makes such a difference.
//
// Samples are shares of a whole: when one function becomes cheaper, the shares of all others grow. A cost is therefore
// measured by a yardstick, such as the samples of functions that did not change. The difference of x / u between the
// sides is linear in the units (runs or time blocks), so the units tell its variance: that of a ratio estimator
// (Cochran, Sampling Techniques, chapter 6). The variance is given as a multiple of what a plain draw of samples would
// have, the dispersion, which functions of different size have in common.
#pragma once

#include "analysis/gate/units.h"

namespace perfsift::analysis {

struct Yard {
  Yardstick kind = Yardstick::samples;
  Series series;  // of the yardstick
  Both<double> sums;
  Both<double> whole;  // all samples of each side
};
// All samples.
Yard yard_of_samples(const Units& units);
// The runs. Only where units are runs.
Yard yard_of_runs(const Units& units);

struct Contrast {
  Both<double> samples;   // of x
  Both<double> cost;      // x / u
  double difference = 0;  // of the costs
  double draw = 0;        // variance of the difference, if samples were drawn independently of each other
  Both<double> draws;     // the part of each side
  double dispersion = 1;  // the variance that the units show, divided by `draw`
  double freedom = 0;     // of the dispersion; 0: not known

  double variance(double with_dispersion) const { return draw * with_dispersion; }
};

// `x`: the samples in question; `shared`: how many of them are samples of the yardstick, too.
Contrast contrast(const Units& units, const Series& x, const Yard& yard, const Both<double>& shared);

}  // namespace perfsift::analysis
