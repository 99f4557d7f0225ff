// Calls that the processor itself kept: perf record --call-graph lbr.
#pragma once

#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

#include "reader/sample.h"

namespace perfsift::reader {

// Whether its branches are the calls that have not returned.
inline bool has_branch_calls(const Sample& sample) {
  return sample.has_branch_stack && !sample.branch_stack.empty() &&
         (sample.event->attr.branch_sample_type & branch_sample::call_stack) != 0;
}

// The user's instruction that ran last. No branch tells it: a tail call, or a jump through the PLT, is not kept, so
// the function that the newest call entered may have left for another one since. `user_part`: of the callchain, after
// its marker. Nothing where nothing of the user's part was recorded.
inline std::optional<std::uint64_t> user_leaf(const Sample& sample, Words user_part) {
  if (sample.cpumode == CpuMode::user && sample.has(sample_bit::ip)) return sample.ip;
  if (!user_part.empty() && user_part.front() < callchain_context::max) return user_part.front();
  if (!sample.branch_stack.empty()) return BranchEntry(sample.branch_stack.front()).to;
  return std::nullopt;
}

// Overwrites `words` with the kernel's part of the callchain, the user's leaf and these calls, in the order of perf's
// resolve_lbr_callchain_sample(). False, and nothing is done, where the callchain has no user's part.
//
// The calls are known by where they come from, the call itself; a callchain has the address after it.
inline bool join_branch_calls(const Sample& sample, std::vector<Unaligned<std::uint64_t>>& words) {
  const auto user =
      std::ranges::find_if(sample.callchain, [](std::uint64_t entry) { return entry == callchain_context::user; });
  if (user == sample.callchain.end()) return false;
  words.assign(sample.callchain.begin(), std::next(user));
  if (const auto leaf = user_leaf(sample, {std::next(user), sample.callchain.end()})) words.emplace_back(*leaf);
  for (const BranchEntry branch : sample.branch_stack) words.emplace_back(branch.from + 1);
  return true;
}

}  // namespace perfsift::reader
