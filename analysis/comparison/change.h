// How much an amount changed between two measurements, and whether that is more than chance.
//
// Samples are a draw: with the same program, a function with 100 samples has 80 to 120 of them the next time. A Change
// has an interval that contains the true change with a probability of 95 %, as far as samples are drawn independently
// of each other. Bursts and runs that differ make real samples vary more than that, so an interval is the least that
// chance does.
//
// The interval of a share is that of Newcombe (Statistics in Medicine 17, 1998, method 10): the Wilson score intervals
// of both shares, combined. For amounts that are not shares of a total, the score intervals of Poisson counts
// are combined in the same way. Both count samples; where samples have weights, all samples of an amount are taken to
// have its mean weight.
#pragma once

#include "analysis/profile/amount.h"

namespace perfsift::analysis {

struct Change {
  Amount before, after;
  double delta = 0;          // of the shares in percent points, or of the values
  double low = 0, high = 0;  // the interval of delta
  // The interval is on one side of 0, and there are at least least_samples on both sides together.
  bool significant = false;

  // With fewer samples, nothing is called a change: neither 0 against 1 nor 1 against 3.
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
// `all`: the number of independent draws, of which `some` count; fractions of draws are possible.
ShareInterval interval_of_share(double some, double all);

}  // namespace perfsift::analysis
