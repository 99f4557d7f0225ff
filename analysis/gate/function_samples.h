// The samples of functions, added up over stacks.
#pragma once

#include <vector>

#include "analysis/gate/matching.h"
#include "analysis/gate/replicates.h"
#include "analysis/gate/verdict.h"

namespace perfsift::analysis {

// The functions of stacks under the numbers that both sides have in common.
class MatchedStacks {
 public:
  static constexpr FunctionId none = ~FunctionId{0};

  // Both must live longer.
  MatchedStacks(const Replicates& replicates, const Matching& matching)
      : replicates_(replicates), matching_(matching) {}

  const Replicates& replicates() const { return replicates_; }
  std::uint32_t size() const { return replicates_.stacks().size(); }
  std::size_t functions() const { return matching_.same_as.size(); }
  FunctionId leaf(std::uint32_t stack) const {
    const auto functions = replicates_.stacks().functions_of(stack);
    return functions.empty() ? none : matching_.same_as[functions.back()];
  }
  FunctionName name_of(FunctionId function) const;
  // How many frames there are from the root to the first one of the function; 0: there is none.
  std::size_t depth_of(std::uint32_t stack, FunctionId function) const;
  // Calls use(function) for each frame of a stack, root first.
  template <typename Use>
  void for_each_frame(std::uint32_t stack, Use&& use) const {
    for (const FunctionId each : replicates_.stacks().functions_of(stack)) use(matching_.same_as[each]);
  }
  // Calls use(function) once for each function of a stack, however often the function calls itself.
  template <typename Use>
  void for_each_function(std::uint32_t stack, Use&& use) {
    seen_.resize(functions(), 0);
    ++now_;
    for (const FunctionId each : replicates_.stacks().functions_of(stack)) {
      const FunctionId function = matching_.same_as[each];
      if (seen_[function] != now_) seen_[function] = now_, use(function);
    }
  }

 private:
  const Replicates& replicates_;
  const Matching& matching_;
  std::vector<std::uint32_t> seen_;  // by function: the number of the last visit
  std::uint32_t now_ = 0;
};

struct FunctionSums {
  Both<std::uint64_t> self, total;
};
// By function.
std::vector<FunctionSums> function_sums(MatchedStacks& stacks);

// The shares of all samples on the two sides, added up.
double shares_of(const Both<std::uint64_t>& samples, const Both<std::uint64_t>& all);

struct FunctionSeries {
  FunctionId function = 0;
  Part part = Part::self;
  Series series;
};
// The series of the functions and parts that `subjects` name.
void fill_series(MatchedStacks& stacks, std::vector<FunctionSeries>& subjects);

}  // namespace perfsift::analysis
