// Comparisons of folded text: how many samples its counts stand for.
//
// A count is a number of samples, or the sum of their weights, such as periods and times; the text does not say which.
// If all samples have one weight, this weight divides every count, so that it is at most the greatest common divisor of
// the counts. A sample is taken to weigh as much as that. There may be more samples, not fewer, and intervals are
// rather too wide than too narrow. Weights that differ from sample to sample (cycles) mostly have the divisor 1, and
// count as numbers of samples.
#pragma once

#include <string>

#include "analysis/profile/profile.h"

namespace perfsift::tools {

// Sets the numbers of samples of a profile of folded text. Returns what is assumed, as a note.
std::string take_counts_for_samples(analysis::Profile& side);
// For text with two counts, the weight is the same on both sides. If the counts of one side were scaled to the sum of
// the other, which leaves them no divisor but 1, the weight is that of the other side.
std::string take_counts_for_samples(analysis::Profile& before, analysis::Profile& after);

}  // namespace perfsift::tools
