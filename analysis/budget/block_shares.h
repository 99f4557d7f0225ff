// A share of samples, with an interval that takes into account that samples come in bursts.
//
// The interval of a share of independent draws is too narrow where samples of a function come together. The counts by
// time block, and by run, show how much wider it must be: the dispersion, the variance between blocks divided by the
// variance of independent draws. Dividing both counts by the dispersion gives the number of independent draws with
// as much information.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/budget/measured_value.h"

namespace perfsift::analysis {

// Samples in a block of time, and those among them that are counted.
struct BlockShare {
  std::uint32_t run = 0;
  std::uint64_t some = 0, all = 0;
};

// The share in percent. Without any sample it is not known.
MeasuredValue share_of_samples(const std::vector<BlockShare>& blocks);

}  // namespace perfsift::analysis
