#include "analysis/gate/trend.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "analysis/gate/statistics.h"
#include "base/median.h"

namespace perfsift::analysis {
namespace {

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double squares_about(std::span<const double> values, double mean) {
  return std::accumulate(values.begin(), values.end(), 0.0,
                         [mean](double sum, double value) { return sum + (value - mean) * (value - mean); });
}

// The probabilities of so many pairs in falling order among `length` values in random order: one more value has each
// number of larger ones before it with the same probability.
std::vector<double> falling_pairs(std::size_t length) {
  std::vector<double> now{1};
  for (std::size_t n = 2; n <= length; ++n) {
    std::vector<double> next(now.size() + n - 1);
    double window = 0;
    for (std::size_t k = 0; k < next.size(); ++k) {
      if (k < now.size()) window += now[k];
      if (k >= n) window -= now[k - n];
      next[k] = std::max(window, 0.0) / static_cast<double>(n);
    }
    now = std::move(next);
  }
  return now;
}

// A fit of a history, and how far the history is from it.
struct Fit {
  Trend trend;
  double squares = 0;
};

Fit fit_flat(std::span<const double> values) {
  const auto count = static_cast<double>(values.size());
  Fit fit{.trend = {.shape = TrendShape::flat, .runs = values.size(), .expected = mean_of(values)}};
  fit.squares = squares_about(values, fit.trend.expected);
  fit.trend.freedom = count - 1;
  fit.trend.deviation = std::sqrt(fit.squares / fit.trend.freedom * (1 + 1 / count));
  return fit;
}

// The two levels that fit best. p: of such a difference anywhere, without one.
Fit fit_level(std::span<const double> values, double& p) {
  Fit best;
  std::size_t first = 0;
  for (std::size_t at = 1; at < values.size(); ++at) {
    const std::span<const double> before = values.first(at), since = values.subspan(at);
    const double squares = squares_about(before, mean_of(before)) + squares_about(since, mean_of(since));
    if (at == 1 || squares < best.squares) best.squares = squares, first = at;
  }
  const std::span<const double> before = values.first(first), since = values.subspan(first);
  const auto each = [](std::span<const double> side) { return 1 / static_cast<double>(side.size()); };
  const auto freedom = static_cast<double>(values.size()) - 2;
  const double variance = best.squares / freedom;
  const double difference = mean_of(since) - mean_of(before),
               deviation = std::sqrt(variance * (each(before) + each(since)));
  // Any of the places may be the best one.
  const double places = static_cast<double>(values.size()) - 1;
  p = deviation > 0 ? std::min(1.0, places * student_tails(difference / deviation, freedom)) : difference != 0 ? 0 : 1;
  best.trend = {.shape = TrendShape::level,
                .runs = since.size(),
                .expected = mean_of(since),
                .deviation = std::sqrt(variance * (1 + each(since))),
                .freedom = freedom,
                .jump = difference};
  return best;
}

Fit fit_line(std::span<const double> values, double level) {
  const double slope = growth_per_run(values, level).value;
  const auto count = static_cast<double>(values.size());
  std::vector<double> starts(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) starts[i] = values[i] - slope * static_cast<double>(i);
  const double start = median(starts);
  Fit fit;
  for (const double each : starts) fit.squares += (each - start) * (each - start);
  const double middle = (count - 1) / 2, spread = count * (count * count - 1) / 12;  // sum of (i - middle)²
  const double freedom = count - 2;
  fit.trend = {
      .shape = TrendShape::line,
      .runs = values.size(),
      .expected = start + slope * count,
      .deviation = std::sqrt(fit.squares / freedom * (1 + 1 / count + (count - middle) * (count - middle) / spread)),
      .freedom = freedom};
  return fit;
}

}  // namespace

TrendTest::TrendTest(std::size_t length)
    : pairs_(length * (length - std::min<std::size_t>(length, 1)) / 2), at_most_(falling_pairs(length)) {
  std::partial_sum(at_most_.begin(), at_most_.end(), at_most_.begin());
}

double TrendTest::tails(std::span<const double> values) const {
  std::size_t falling = 0, rising = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t j = i + 1; j < values.size(); ++j) {
      falling += values[j] < values[i] ? 1 : 0;
      rising += values[j] > values[i] ? 1 : 0;
    }
  }
  // Half of the equal pairs count for each direction.
  const std::size_t fewer = std::min(falling, rising) + (pairs_ - falling - rising + 1) / 2;
  return std::min(1.0, 2 * at_most_[std::min(fewer, at_most_.size() - 1)]);
}

Estimate growth_per_run(std::span<const double> values, double level) {
  std::vector<double> slopes;
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t j = i + 1; j < values.size(); ++j)
      slopes.push_back((values[j] - values[i]) / static_cast<double>(j - i));
  }
  if (slopes.empty()) return {};
  std::ranges::sort(slopes);
  const auto length = static_cast<double>(values.size()), pairs = static_cast<double>(slopes.size());
  // Of the number of rising less falling pairs.
  const double deviation = std::sqrt(length * (length - 1) * (2 * length + 5) / 18);
  const double half_width = student_limit(level, std::numeric_limits<double>::infinity()) * deviation / 2;
  const auto slope_at = [&](double rank) { return slopes[static_cast<std::size_t>(std::clamp(rank, 0.0, pairs - 1))]; };
  return {.value = median(slopes),
          .low = slope_at(std::floor(pairs / 2 - half_width)),
          .high = slope_at(std::ceil(pairs / 2 + half_width))};
}

Trend trend_of(std::span<const double> history, bool drifts, double level) {
  // The next run must not be compared with a level that is only noise.
  constexpr double certain = 0.001;
  Fit best = fit_flat(history);
  double p = 1;
  const Fit stepped = fit_level(history, p);
  const bool has_level = p <= certain;
  if (has_level) best = stepped;
  if (drifts) {
    const Fit line = fit_line(history, level);
    if (!has_level || line.squares <= stepped.squares) best = line;
  }
  return best.trend;
}

}  // namespace perfsift::analysis
