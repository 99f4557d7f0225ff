// Calls that the processor itself records: perf record --call-graph lbr.
#pragma once

#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

#include "reader/format/sample.h"

namespace perfsift::reader {

// Whether the branches of the sample are the calls that have not returned.
inline bool has_branch_calls(const Sample& sample) {
  return sample.has_branch_stack && !sample.branch_stack.empty() &&
         (sample.event->attr.branch_sample_type & branch_sample::call_stack) != 0;
}

// The user instruction that ran last. No branch shows this instruction: the processor records neither tail calls nor
// jumps through the PLT, so the function that the newest call entered may have jumped to another function since.
// `user_part`: the callchain after its user marker. Nothing where no user part was recorded.
inline std::optional<std::uint64_t> user_leaf(const Sample& sample, Words user_part) {
  if (sample.cpumode == CpuMode::user && sample.has(sample_bit::ip)) return sample.ip;
  if (!user_part.empty() && user_part.front() < callchain_context::max) return user_part.front();
  if (!sample.branch_stack.empty()) return BranchEntry(sample.branch_stack.front()).to;
  return std::nullopt;
}

// Overwrites `words` with the kernel part of the callchain, the user leaf and these calls, in the order of perf's
// resolve_lbr_callchain_sample(). Returns false and changes nothing where the callchain has no user part.
//
// A branch has the address of the call itself; a callchain has the address after the call.
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
