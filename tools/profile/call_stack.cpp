#include "tools/profile/call_stack.h"

#include <algorithm>
#include <iterator>

#include "reader/callchain.h"
#include "tools/profile/joined_stack.h"
#include "tools/profile/quality.h"

namespace perfsift::tools {
namespace {

namespace context = reader::callchain_context;
using reader::Sample;

bool has_branch_calls(const Sample& sample) {
  return sample.has_branch_stack && !sample.branch_stack.empty() &&
         (sample.event->attr.branch_sample_type & reader::branch_sample::call_stack) != 0;
}

}  // namespace

CallStack::CallStack(const reader::Recording& recording, const UnwindOptions& options)
    : streamed_(recording.streamed()) {
  if (options.tables != nullptr) unwinder_ = std::make_unique<UserStackUnwinder>(recording, options);
}

CallStack::Stack CallStack::of(const Sample& sample, reader::MapsVersion maps) {
  if (has_branch_calls(sample)) return from_branches(sample);
  if (unwinder_ != nullptr && sample.has(reader::sample_bit::stack_user)) {
    if (const symbolize::UnwoundStack* unwound = unwinder_->unwind(sample, maps)) {
      join(sample.callchain, *unwound, words_);
      return {.words = words_, .truncated = reader::is_noted_truncated(words_)};
    }
  }
  return from_callchain(sample);
}

CallStack::Stack CallStack::from_callchain(const Sample& sample) {
  if (!sample.callchain.empty()) {
    return {.words = sample.callchain, .lasting = stays(sample), .truncated = is_truncated(sample)};
  }
  words_.clear();
  if (sample.has(reader::sample_bit::ip)) words_.emplace_back(sample.ip);
  return {.words = words_};
}

// The newest call has led to where the sample was taken. The others are known by where they come from, the call itself;
// a callchain has the address after it.
CallStack::Stack CallStack::from_branches(const Sample& sample) {
  const auto user = std::ranges::find_if(sample.callchain, [](std::uint64_t entry) { return entry == context::user; });
  if (user == sample.callchain.end()) return from_callchain(sample);
  words_.assign(sample.callchain.begin(), std::next(user));
  words_.emplace_back(reader::BranchEntry(sample.branch_stack.front()).to);
  for (const reader::BranchEntry branch : sample.branch_stack) words_.emplace_back(branch.from + 1);
  return {.words = words_, .truncated = is_truncated(sample)};
}

// A callchain that was joined, swapped or expanded lies in memory that is used again.
bool CallStack::stays(const Sample& sample) const {
  const auto* chain = reinterpret_cast<const std::byte*>(sample.callchain.data());
  return !streamed_ && chain >= sample.record.data() && chain < sample.record.data() + sample.record.size();
}

}  // namespace perfsift::tools
