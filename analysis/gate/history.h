// The costs of functions over a history: repeats in the order of time, of which the candidate is the last.
#pragma once

#include <optional>
#include <vector>

#include "analysis/gate/normaliser.h"
#include "analysis/gate/replicates.h"
#include "analysis/gate/significance.h"
#include "analysis/gate/trend.h"
#include "analysis/gate/verdict.h"

namespace perfsift::analysis {

// Costs are in parts of the baseline's total cost.
struct CostTrend {
  double p = 1;           // of such an order of the costs, without a drift
  double adjusted_p = 1;  // for all tests
  Estimate growth;        // of a drift, from the first run to the candidate
  std::optional<Estimate> ratio;
  Trend history;    // without the candidate
  double last = 0;  // the candidate's cost
};

// Immutable. The normaliser and the rules must live longer.
class History {
 public:
  // Whether the replicates are a history that is long enough.
  static bool fits(const Replicates& replicates, const Rules& rules);
  History(const Replicates& replicates, const Normaliser& normaliser, const Rules& rules);

  std::size_t runs() const { return test_length_; }
  // Without a drift, which needs an adjusted p.
  CostTrend trend(const Series& x) const;
  // Sets adjusted_p, and looks for a drift of at least `least`.
  void find_drift(const Series& x, double adjusted_p, double least, CostTrend& trend) const;
  // Where the history has a level, the candidate is compared with the runs at this level.
  void compare_with_level(const CostTrend& trend, Measured& measured) const;
  // How much more the candidate costs than the history lets expect.
  Estimate step(const CostTrend& trend) const;
  // Whether the step is more than chance, and at least `least`.
  bool is_step(const CostTrend& trend, double least) const;

 private:
  std::vector<double> costs(const Series& x) const;
  double chance_of_step(const CostTrend& trend) const;

  const Normaliser& normaliser_;
  const Rules& rules_;
  double scale_;
  std::size_t test_length_;
  TrendTest test_;
};

}  // namespace perfsift::analysis
