#include "tools/profile/call_stack.h"

#include <algorithm>

namespace perfsift::tools {

reader::Words CallStack::from_branches(const reader::Sample& sample) {
  namespace context = reader::callchain_context;
  const auto is_user = [](std::uint64_t entry) { return entry == context::user; };
  const auto user = std::ranges::find_if(sample.callchain, is_user);
  if (user == sample.callchain.end() || sample.branch_stack.empty()) return sample.callchain;

  // The newest call has led to where the sample was taken. The others are known by where they come from, the call
  // itself; a callchain has the address after it.
  words_.assign(sample.callchain.begin(), std::next(user));
  words_.emplace_back(reader::BranchEntry(sample.branch_stack.front()).to);
  for (const reader::BranchEntry branch : sample.branch_stack) words_.emplace_back(branch.from + 1);
  return words_;
}

}  // namespace perfsift::tools
