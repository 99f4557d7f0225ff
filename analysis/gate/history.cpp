#include "analysis/gate/history.h"

#include <algorithm>
#include <cmath>

#include "analysis/gate/statistics.h"

namespace perfsift::analysis {
bool History::fits(const Replicates& replicates, const Rules& rules) {
  const Both<std::size_t> repeats = replicates.count();
  return rules.history && replicates.spread() == Spread::repeats && repeats.after == 1 &&
         repeats.before + 1 >= fewest_for_trend;
}

History::History(const Replicates& replicates, const Normaliser& normaliser, const Rules& rules)
    : normaliser_(normaliser),
      rules_(rules),
      scale_(normaliser.scale()),
      test_length_(replicates.size()),
      test_(replicates.size()) {}

std::vector<double> History::costs(const Series& x) const {
  std::vector<double> costs(x.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    costs[i] = normaliser_.series[i] > 0 ? scale_ * x[i] / normaliser_.series[i] : 0;
  return costs;
}

CostTrend History::trend(const Series& x) const {
  const std::vector<double> all = costs(x);
  return {.p = test_.tails(all),
          .history = trend_of(std::span(all).first(all.size() - 1), false, rules_.level),
          .last = all.back()};
}

void History::find_drift(const Series& x, double adjusted_p, double least, CostTrend& trend) const {
  trend.adjusted_p = adjusted_p;
  if (adjusted_p > rules_.level) return;
  const std::vector<double> all = costs(x);
  const auto steps = static_cast<double>(all.size() - 1);
  const Estimate each = growth_per_run(all, rules_.level);
  const Estimate growth{.value = each.value * steps, .low = each.low * steps, .high = each.high * steps};
  if (growth.value < least) return;
  trend.history = trend_of(std::span(all).first(all.size() - 1), true, rules_.level);
  if (trend.history.shape != TrendShape::line) return;
  trend.growth = growth;
  const double start = trend.history.expected - growth.value;
  if (start > 0) {
    trend.ratio =
        Estimate{.value = 1 + growth.value / start, .low = 1 + growth.low / start, .high = 1 + growth.high / start};
  }
}

void History::compare_with_level(const CostTrend& trend, Measured& measured) const {
  if (trend.history.shape != TrendShape::level) return;
  measured.effect = step(trend);
  measured.ratio.reset();
  measured.before = trend.history.expected;
  measured.deviation = trend.history.deviation;
  measured.freedom = trend.history.freedom;
  measured.p = chance_of_step(trend);
}

Estimate History::step(const CostTrend& trend) const {
  const double more = trend.last - trend.history.expected;
  const double width = student_limit(rules_.level, trend.history.freedom) * trend.history.deviation;
  return {.value = more, .low = more - width, .high = more + width};
}

double History::chance_of_step(const CostTrend& trend) const {
  const double more = trend.last - trend.history.expected;
  if (trend.history.deviation <= 0) return more == 0 ? 1 : 0;
  return student_tails(more / trend.history.deviation, trend.history.freedom);
}

bool History::is_step(const CostTrend& trend, double least) const {
  return trend.last - trend.history.expected >= least && chance_of_step(trend) <= rules_.level;
}

}  // namespace perfsift::analysis
