// Functions that are the same on both sides, although their names or binaries differ.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/gate/replicates.h"
#include "analysis/gate/stack_table.h"
#include "analysis/gate/verdict.h"
#include "analysis/profile/common_names.h"

namespace perfsift::analysis {

struct MatchedPair {
  FunctionId before = 0, after = 0;
  MatchedBy by = MatchedBy::name;
};

// A function whose samples are those of its caller on the other side.
struct InlinedPair {
  FunctionId function = 0;
  FunctionId caller = 0;
  bool after = true;  // inlined in the candidate; false: in the baseline
};

struct Matching {
  // The function that stands for each function: itself, the name in the candidate of the same function, or one of the
  // functions whose names are one: see FunctionNames::common.
  std::vector<FunctionId> same_as;
  FunctionNames names = FunctionNames::recorded;  // that functions are shown by
  std::vector<MatchedPair> renamed;
  std::vector<InlinedPair> inlined;
};

// No function has another name.
Matching no_matching(const GateStacks& stacks);
// Only functions that one side does not have are matched.
Matching match_functions(const Replicates& replicates, FunctionNames names);

// "f" for "f(int)", "f<int>", "f@V1", and for what common_name() makes f of.
std::string plain_name(std::string_view name);
// "libssl.so" for "libssl.so.3", "app" for "app-1.2": without versions.
std::string plain_binary(std::string_view binary);

}  // namespace perfsift::analysis
