#include "analysis/gate/function_samples.h"

#include <string>

namespace perfsift::analysis {

FunctionName MatchedStacks::name_of(FunctionId function) const {
  const GateFunction& named = replicates_.stacks().functions()[function];
  const bool common = matching_.names == FunctionNames::common && !named.unnamed;
  return {.name = common ? common_name(named.name) : std::string(named.name), .binary = std::string(named.binary)};
}

std::size_t MatchedStacks::depth_of(std::uint32_t stack, FunctionId function) const {
  std::size_t depth = 0;
  for (const FunctionId each : replicates_.stacks().functions_of(stack)) {
    ++depth;
    if (matching_.same_as[each] == function) return depth;
  }
  return 0;
}

std::vector<FunctionSums> function_sums(MatchedStacks& stacks) {
  std::vector<FunctionSums> sums(stacks.functions());
  for (std::uint32_t stack = 0; stack < stacks.size(); ++stack) {
    const Both<std::uint64_t>& samples = stacks.replicates().samples(stack);
    if (const FunctionId leaf = stacks.leaf(stack); leaf != MatchedStacks::none) sums[leaf].self += samples;
    stacks.for_each_function(stack, [&](FunctionId function) { sums[function].total += samples; });
  }
  return sums;
}

double shares_of(const Both<std::uint64_t>& samples, const Both<std::uint64_t>& all) {
  return SideShare::of(samples.before, all.before).share + SideShare::of(samples.after, all.after).share;
}

void fill_series(MatchedStacks& stacks, std::vector<FunctionSeries>& subjects) {
  std::vector<Series*> self(stacks.functions()), total(stacks.functions());
  for (FunctionSeries& subject : subjects) {
    subject.series.assign(stacks.replicates().size(), 0);
    (subject.part == Part::self ? self : total)[subject.function] = &subject.series;
  }
  for (std::uint32_t stack = 0; stack < stacks.size(); ++stack) {
    if (const FunctionId leaf = stacks.leaf(stack); leaf != MatchedStacks::none && self[leaf] != nullptr)
      stacks.replicates().add(stack, *self[leaf]);
    stacks.for_each_function(stack, [&](FunctionId function) {
      if (total[function] != nullptr) stacks.replicates().add(stack, *total[function]);
    });
  }
}

}  // namespace perfsift::analysis
