// Binaries that have another file name on the other side: a build called app-new of what was app-old.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "analysis/gate/function_samples.h"
#include "analysis/gate/replicates.h"

namespace perfsift::analysis {

// Only binaries that one side does not have are paired: those with the same name but for their versions, then those
// that share the most of their samples by the names of functions, and at last the only two that are left, if their
// samples are about as many.
class BinaryPairs {
 public:
  // `sums`: by function.
  BinaryPairs(const Replicates& replicates, const std::vector<FunctionSums>& sums);

  using Pair = std::pair<std::string_view, std::string_view>;
  // The names in the baseline and in the candidate, which live as long as the stacks.
  const std::vector<Pair>& pairs() const { return pairs_; }

 private:
  std::vector<Pair> pairs_;
};

}  // namespace perfsift::analysis
