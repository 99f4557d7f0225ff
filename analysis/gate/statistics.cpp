#include "analysis/gate/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/polygamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>

namespace perfsift::analysis {
namespace {

namespace math = boost::math;

// A result instead of an exception: infinity for what is too large, not a number outside of a domain.
namespace policies = math::policies;
using NoThrow =
    policies::policy<policies::domain_error<policies::ignore_error>, policies::pole_error<policies::ignore_error>,
                     policies::overflow_error<policies::ignore_error>,
                     policies::evaluation_error<policies::ignore_error>>;
using Student = math::students_t_distribution<double, NoThrow>;

double digamma(double x) { return math::digamma(x, NoThrow()); }
double trigamma(double x) { return math::trigamma(x, NoThrow()); }

// Newton's method: Smyth, appendix.
double inverse_trigamma(double value) {
  constexpr double close = 1e-8;
  double y = 0.5 + 1 / value;
  for (int step = 0; step < 50; ++step) {
    const double now = trigamma(y);
    const double change = now * (1 - now / value) / math::polygamma(2, y, NoThrow());
    y += change;
    if (-change / y < close) break;
  }
  return y;
}

double sum_of(std::span<const double> values) { return std::accumulate(values.begin(), values.end(), 0.0); }

// How alike neighbours are, from -1 to 1.
double neighbour_correlation(std::span<const double> values) {
  double products = 0, squares = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    squares += values[i] * values[i];
    if (i != 0) products += values[i - 1] * values[i];
  }
  return squares > 0 ? products / squares : 0;
}

std::vector<double> joined_in_pairs(std::span<const double> values) {
  std::vector<double> pairs((values.size() + 1) / 2);
  for (std::size_t i = 0; i < values.size(); ++i) pairs[i / 2] += values[i];
  return pairs;
}

}  // namespace

double student_tails(double t, double freedom) {
  return std::isnan(t) ? 1 : 2 * cdf(complement(Student(freedom), std::abs(t)));
}

double student_limit(double tails, double freedom) { return quantile(complement(Student(freedom), tails / 2)); }

std::vector<double> benjamini_hochberg(std::span<const double> p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t i) { return p[i]; });
  std::vector<double> q(p.size());
  double least = 1;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto rank = static_cast<double>(order.size() - i);
    least = std::min(least, p[order[i]] * static_cast<double>(p.size()) / rank);
    q[order[i]] = least;
  }
  return q;
}

SeriesVariance variance_of_sum(std::span<const double> values) {
  constexpr std::size_t fewest = 8;
  std::vector<double> batches(values.begin(), values.end());
  // Of independent values, one correlation in forty is larger.
  while (batches.size() >= 2 * fewest &&
         neighbour_correlation(batches) > 1.96 / std::sqrt(static_cast<double>(batches.size()))) {
    batches = joined_in_pairs(batches);
  }
  if (batches.size() < 2) return {};
  const auto count = static_cast<double>(batches.size());
  const double mean = sum_of(batches) / count;
  double squares = 0;
  for (const double batch : batches) squares += (batch - mean) * (batch - mean);
  return {.variance = squares * count / (count - 1), .freedom = count - 1};
}

double CommonVariance::moderated(double variance_of_one, double freedom_of_one) const {
  if (std::isinf(freedom)) return variance;
  if (freedom + freedom_of_one <= 0) return variance;
  return (freedom * variance + freedom_of_one * variance_of_one) / (freedom + freedom_of_one);
}

CommonVariance common_variance(std::span<const double> variances, double freedom) {
  constexpr std::size_t least = 3;
  std::vector<double> logarithms;
  for (const double variance : variances) {
    if (variance > 0) logarithms.push_back(std::log(variance));
  }
  if (logarithms.size() < least || freedom <= 0) return {};
  // The logarithm of a variance with d degrees of freedom differs from that of the true variance by this much in the
  // mean, and varies by trigamma(d / 2).
  const double offset = digamma(freedom / 2) - std::log(freedom / 2);
  const auto count = static_cast<double>(logarithms.size());
  const double mean = sum_of(logarithms) / count;
  double squares = 0;
  for (const double each : logarithms) squares += (each - mean) * (each - mean);
  const double beyond = squares / (count - 1) - trigamma(freedom / 2);
  if (beyond <= 0) return {.variance = std::exp(mean - offset), .freedom = std::numeric_limits<double>::infinity()};
  const double prior = 2 * inverse_trigamma(beyond);
  return {.variance = std::exp(mean - offset + digamma(prior / 2) - std::log(prior / 2)), .freedom = prior};
}

double weighted_median(std::vector<std::pair<double, double>> values_and_weights) {
  std::ranges::sort(values_and_weights);
  double all = 0;
  for (const auto& [value, weight] : values_and_weights) all += weight;
  double below = 0;
  for (const auto& [value, weight] : values_and_weights) {
    below += weight;
    if (below >= all / 2) return value;
  }
  return 0;
}

}  // namespace perfsift::analysis
