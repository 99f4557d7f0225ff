#include "tools/profile/call_stack.h"

#include "reader/branch_calls.h"
#include "reader/callchain.h"
#include "tools/profile/joined_stack.h"

namespace perfsift::tools {

using reader::Sample;

CallStack::CallStack(const reader::Recording& recording, const UnwindOptions& options)
    : streamed_(recording.streamed()) {
  if (options.tables != nullptr) unwinder_ = std::make_unique<UserStackUnwinder>(recording, options);
}

CallStack::Stack CallStack::of(const Sample& sample, reader::MapsVersion maps) {
  if (reader::has_branch_calls(sample)) return from_branches(sample);
  if (unwinder_ != nullptr && sample.has(reader::sample_bit::stack_user)) {
    if (const symbolize::UnwoundStack* unwound = unwinder_->unwind(sample, maps)) {
      join(sample.callchain, *unwound, words_);
      return {.words = words_, .truncated = reader::is_noted_truncated(words_)};
    }
  }
  return from_callchain(sample);
}

CallStack::Stack CallStack::from_branches(const Sample& sample) {
  if (!reader::join_branch_calls(sample, words_)) return from_callchain(sample);
  return {.words = words_, .truncated = is_truncated(sample)};
}

CallStack::Stack CallStack::from_callchain(const Sample& sample) {
  if (!sample.callchain.empty()) {
    return {.words = sample.callchain, .lasting = stays(sample), .truncated = is_truncated(sample)};
  }
  words_.clear();
  if (sample.has(reader::sample_bit::ip)) words_.emplace_back(sample.ip);
  return {.words = words_};
}

// A callchain that was joined, swapped or expanded lies in memory that is used again.
bool CallStack::stays(const Sample& sample) const {
  const auto* chain = reinterpret_cast<const std::byte*>(sample.callchain.data());
  return !streamed_ && chain >= sample.record.data() && chain < sample.record.data() + sample.record.size();
}

}  // namespace perfsift::tools
