// Calls that the processor itself kept: perf record --call-graph lbr.
#pragma once

#include <algorithm>
#include <iterator>
#include <vector>

#include "reader/sample.h"

namespace perfsift::reader {

// Whether its branches are the calls that have not returned.
inline bool has_branch_calls(const Sample& sample) {
  return sample.has_branch_stack && !sample.branch_stack.empty() &&
         (sample.event->attr.branch_sample_type & branch_sample::call_stack) != 0;
}

// Overwrites `words` with the kernel's part of the callchain and these calls, as perf has it
// (resolve_lbr_callchain_sample()). False, and nothing is done, where the callchain has no user's part.
//
// The newest call has led to where the sample was taken. The others are known by where they come from, the call itself;
// a callchain has the address after it.
inline bool join_branch_calls(const Sample& sample, std::vector<Unaligned<std::uint64_t>>& words) {
  const auto user =
      std::ranges::find_if(sample.callchain, [](std::uint64_t entry) { return entry == callchain_context::user; });
  if (user == sample.callchain.end()) return false;
  words.assign(sample.callchain.begin(), std::next(user));
  words.emplace_back(BranchEntry(sample.branch_stack.front()).to);
  for (const BranchEntry branch : sample.branch_stack) words.emplace_back(branch.from + 1);
  return true;
}

}  // namespace perfsift::reader
