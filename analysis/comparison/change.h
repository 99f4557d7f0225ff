// How much an amount changed between two measurements, and whether chance alone explains the change.
//
// Samples are random: with the same program, a function with 100 samples has 80 to 120 samples in the next run. A
// Change has an interval that contains the true change with a probability of 95 %, if samples are independent of each
// other. Bursts, and differences between runs, make real samples vary more, so the interval is a lower bound of the
// variation.
//
// The interval of a share is Newcombe's (Statistics in Medicine 17, 1998, method 10), which combines the Wilson score
// intervals of both shares. For amounts that are not shares of a total, the score intervals of Poisson counts are
// combined in the same way. Both methods count samples. Where samples have weights, each sample of an amount is assumed
// to have the amount's mean weight.
#pragma once

#include "analysis/profile/amount.h"

namespace perfsift::analysis {

struct Change {
  Amount before, after;
  double delta = 0;          // in percent points for shares, otherwise in units of the values
  double low = 0, high = 0;  // the interval of delta
  // The interval does not contain 0, and both sides together have at least least_samples.
  bool significant = false;

  // Fewer samples are never a significant change: neither 0 against 1 nor 1 against 3.
  static constexpr std::uint64_t least_samples = 5;

  bool operator==(const Change&) const = default;
};

// The change from the share `before` of `all_before` to the share `after` of `all_after`, in percent points.
Change change_of_shares(const Amount& before, const Amount& all_before, const Amount& after, const Amount& all_after);
// The change from the value of `before` to the value of `after`.
Change change_of_values(const Amount& before, const Amount& after);

// A share of one measurement, in percent, and the interval that contains the true share with a probability of 95 %: see
// Change.
struct ShareInterval {
  double share = 0;
  double low = 0, high = 0;
};
ShareInterval interval_of_share(const Amount& part, const Amount& all);
// `all`: the number of independent draws. `some`: how many of them count. Fractions of draws are possible.
ShareInterval interval_of_share(double some, double all);

}  // namespace perfsift::analysis
