// What the costs of both sides are divided by.
//
// Samples are shares of a whole: when one function becomes cheaper, the shares of all others grow. Costs are therefore
// normalised, by the samples of functions that did not change or by runs of equal work.
#pragma once

#include <vector>

#include "analysis/gate/function_samples.h"

namespace perfsift::analysis {

struct Normaliser {
  NormalisedBy kind = NormalisedBy::samples;
  Series series;  // the divisor of each replicate
  Both<double> sums;
  Both<double> samples;       // all samples of each side
  std::vector<bool> changed;  // by function: its own samples are not part of the normaliser

  // A cost multiplied by the scale is in parts of the baseline's total cost.
  double scale() const { return samples.before > 0 ? sums.before / samples.before : 0; }
};

// The samples of functions that did not change: as in the analysis of gene expression, most functions are taken not to
// change, so that the median of the changes of functions is no change. Functions that differ from it by more than
// chance are left out of the normaliser. All samples, where so few functions have samples that there is no majority.
// The runs, if the rules compare runs: the replicates must then be runs.
Normaliser choose_normaliser(MatchedStacks& stacks, const std::vector<FunctionSums>& sums, const Rules& rules);

// How many samples of each subject are samples of the normaliser, too.
std::vector<Both<double>> shared_samples(MatchedStacks& stacks, const std::vector<FunctionSeries>& subjects,
                                         const Normaliser& normaliser);

}  // namespace perfsift::analysis
