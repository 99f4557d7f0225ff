// How much chance moves the ratio of two sums, from the blocks of time in which they were measured.
//
// Values that follow each other are alike: slow waits come together. Blocks are so long that they hardly are, so that
// drawing as many blocks again and again, with replacement, shows what the sums might have been (Kuensch 1989).
#pragma once

#include <optional>
#include <span>

namespace perfsift::analysis {

struct BlockRatio {
  double part = 0, all = 0;
};

struct Bounds {
  double low = 0, high = 0;
};

// The ratio of the sums is between the bounds with a probability of 95 %. Too few blocks give nothing. Equal blocks
// give equal bounds.
std::optional<Bounds> bounds_of_ratio(std::span<const BlockRatio> blocks);

}  // namespace perfsift::analysis
