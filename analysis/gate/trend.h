// A value over runs in the order of time: whether it drifts, and whether the last one is a step.
//
// A drift is found by ranks alone (Mann 1945, Kendall), whose distribution is known whatever that of the values is; its
// size is the median of the slopes of all pairs (Theil, Sen 1968). Neither is moved much by one extraordinary run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/gate/verdict.h"

namespace perfsift::analysis {

// Fewer runs cannot show a drift.
constexpr std::size_t fewest_for_trend = 8;

// The test of Mann and Kendall for series of one length.
class TrendTest {
 public:
  explicit TrendTest(std::size_t length);

  // The probability of an order at least as far from chance in either direction. Equal values speak for no trend.
  double tails(std::span<const double> values) const;

 private:
  std::size_t pairs_;
  std::vector<double> at_most_;  // by number: the probability of at most so many pairs in falling order
};

// How much a value grows from run to run, with the interval that contains the true growth with a probability of
// 1 - level.
Estimate growth_per_run(std::span<const double> values, double level);

// The shape of a history, and the next value that it predicts.
enum class TrendShape : std::uint8_t {
  flat,
  level,  // a step to another level, since some run
  line,   // a drift
};
struct Trend {
  TrendShape shape = TrendShape::flat;
  std::size_t runs = 0;  // that the shape rests on: all, or those since the new level
  double expected = 0;   // the next value
  double deviation = 0;  // of the next value from the expected one, by chance
  double freedom = 0;
  double jump = 0;  // to the new level
};
// `drifts`: ranks show a drift. A level that is new since some run is no drift, however long ago it began. `history`:
// at least fewest_for_trend - 1 values. `level`: of the intervals of a line.
Trend trend_of(std::span<const double> history, bool drifts, double level);

}  // namespace perfsift::analysis
