// The statistics of a gate that know nothing of samples: tails of distributions, many tests at once, noise that is
// estimated from little.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace perfsift::analysis {

// The probability of a value at least as far from 0 as `t`, on either side, of Student's distribution; `freedom` may be
// infinite, which is the normal distribution.
double student_tails(double t, double freedom);
// The value that student_tails() gives `tails` for.
double student_limit(double tails, double freedom);

// Benjamini and Hochberg (Journal of the Royal Statistical Society B 57, 1995): for each p, the smallest share of false
// alarms at which this test is an alarm, if all tests with a q of at most this share are.
std::vector<double> benjamini_hochberg(std::span<const double> p);

// The variance of the sum of values that follow each other in time.
struct SeriesVariance {
  double variance = 0;
  double freedom = 0;  // 0: not known
};
// Batch means: neighbours are joined, two by two, until what is left is nearly independent of its neighbours, or 8
// batches are left. The values must add up to about 0.
SeriesVariance variance_of_sum(std::span<const double> values);

// What many estimated variances tell about each of them: Smyth (Statistical Applications in Genetics and Molecular
// Biology 3, 2004), section 6.2. Each variance is taken to be drawn from a common distribution, whose mean and width
// are estimated from all; a variance that three repeats gave is then drawn towards what is usual.
struct CommonVariance {
  double variance = 1;
  double freedom = 0;  // 0: the variances have nothing in common; infinite: they do not differ

  // Of one estimate.
  double moderated(double variance_of_one, double freedom_of_one) const;
  double moderated_freedom(double freedom_of_one) const { return freedom + freedom_of_one; }
};
// From estimates with the same number of degrees of freedom.
CommonVariance common_variance(std::span<const double> variances, double freedom);

// The middle of values by weight: half of the weight is below, half above. Without weight 0.
double weighted_median(std::vector<std::pair<double, double>> values_and_weights);

}  // namespace perfsift::analysis
