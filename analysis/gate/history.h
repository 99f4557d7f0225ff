// The costs of functions over a history: repeats in the order of time, of which the candidate is the last.
#pragma once

#include <optional>
#include <vector>

#include "analysis/gate/significance.h"
#include "analysis/gate/trend.h"
#include "analysis/gate/units.h"
#include "analysis/gate/verdict.h"
#include "analysis/gate/yardstick.h"

namespace perfsift::analysis {

// Costs are in parts of the baseline's whole cost.
struct CostCourse {
  double p = 1;     // of such an order of the costs, without a drift
  double q = 1;     // corrected for everything that was tested
  Estimate growth;  // of a drift, from the first run to the candidate
  std::optional<Estimate> ratio;
  Course course;    // of the history
  double last = 0;  // the candidate's cost
};

// Immutable. Both must live longer.
class History {
 public:
  // Whether the units are a history that is long enough.
  static bool fits(const Units& units, const Rules& rules);
  History(const Units& units, const Yard& yard, const Rules& rules);

  std::size_t runs() const { return test_length_; }
  // Without a drift, which needs q.
  CostCourse course(const Series& x) const;
  // Sets q, and looks for a drift of at least `least`.
  void find_drift(const Series& x, double q, double least, CostCourse& course) const;
  // Where the history has a level, the candidate is compared with the runs at this level.
  void compare_with_level(const CostCourse& course, Measured& measured) const;
  // How much more the candidate costs than the history lets expect.
  Estimate step(const CostCourse& course) const;
  // Whether that is no chance, and at least `least`.
  bool is_step(const CostCourse& course, double least) const;

 private:
  std::vector<double> costs(const Series& x) const;
  double chance_of_step(const CostCourse& course) const;

  const Yard& yard_;
  const Rules& rules_;
  double scale_;
  std::size_t test_length_;
  TrendTest test_;
};

}  // namespace perfsift::analysis
