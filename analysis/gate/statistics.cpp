#include "analysis/gate/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace perfsift::analysis {
namespace {

// Beyond, Student's distribution is the normal distribution in all digits that matter.
constexpr double many = 1e6;

// The derivatives of the logarithm of the gamma function: moved by the recurrence to where the asymptotic series is
// exact (Abramowitz and Stegun, 6.3.18, 6.4.12, 6.4.13, 6.4.14).
constexpr double series_from = 12;

double digamma(double x) {
  double sum = 0;
  while (x < series_from) {
    sum -= 1 / x;
    x += 1;
  }
  const double y = 1 / (x * x);
  return sum + std::log(x) - 0.5 / x - y * (1.0 / 12 - y * (1.0 / 120 - y * (1.0 / 252 - y / 240)));
}

double trigamma(double x) {
  double sum = 0;
  while (x < series_from) {
    sum += 1 / (x * x);
    x += 1;
  }
  const double y = 1 / (x * x);
  return sum + 1 / x + y / 2 + y / x * (1.0 / 6 - y * (1.0 / 30 - y * (1.0 / 42 - y / 30)));
}

double tetragamma(double x) {
  double sum = 0;
  while (x < series_from) {
    sum -= 2 / (x * x * x);
    x += 1;
  }
  const double y = 1 / (x * x);
  return sum - y - y / x - y * y * (0.5 - y * (1.0 / 6 - y * (1.0 / 6 - y * 3.0 / 10)));
}

// The inverse of the trigamma function, by Newton's method: Smyth, appendix.
double inverse_trigamma(double value) {
  constexpr double close = 1e-8;
  double y = 0.5 + 1 / value;
  for (int step = 0; step < 50; ++step) {
    const double now = trigamma(y);
    const double change = now * (1 - now / value) / tetragamma(y);
    y += change;
    if (-change / y < close) break;
  }
  return y;
}

// The continued fraction of the incomplete beta function (Abramowitz and Stegun, 26.5.8), from the front, by the method
// of Lentz.
double beta_fraction(double x, double a, double b) {
  constexpr double tiny = 1e-300, close = 1e-15;
  constexpr int most = 10'000;
  const auto safe = [](double value) { return std::abs(value) < tiny ? tiny : value; };
  double c = 1, d = 1 / safe(1 - (a + b) * x / (a + 1)), value = d;
  for (int m = 1; m < most; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / safe(1 + even * d), c = safe(1 + even / c), value *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / safe(1 + odd * d), c = safe(1 + odd / c), value *= d * c;
    if (std::abs(d * c - 1) < close) break;
  }
  return value;
}

// The incomplete beta function, divided by the complete one. `y` is 1 - x, exactly.
double beta_share(double x, double y, double a, double b) {
  if (x <= 0) return 0;
  if (y <= 0) return 1;
  const double front =
      std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log(y));
  if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(x, a, b) / a;
  return 1 - front * beta_fraction(y, b, a) / b;
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
  if (!std::isfinite(t)) return std::isnan(t) ? 1 : 0;
  if (freedom > many) return std::erfc(std::abs(t) / std::sqrt(2.0));
  const double squares = freedom + t * t;
  return beta_share(freedom / squares, t * t / squares, freedom / 2, 0.5);
}

double student_limit(double tails, double freedom) {
  double low = 0, high = 1;
  while (student_tails(high, freedom) > tails && high < 1e12) low = high, high *= 2;
  for (int step = 0; step < 60; ++step) {
    const double middle = (low + high) / 2;
    (student_tails(middle, freedom) > tails ? low : high) = middle;
  }
  return high;
}

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
