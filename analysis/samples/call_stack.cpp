#include "analysis/samples/call_stack.h"

#include "analysis/samples/joined_stack.h"
#include "reader/branch_calls.h"
#include "reader/callchain.h"

namespace perfsift::analysis {

using reader::Sample;
using symbolize::StackEnd;

namespace {

StackTail tail_of(StackEnd end) {
  switch (end) {
    case StackEnd::complete:
      return StackTail::complete;
    case StackEnd::truncated:
      return StackTail::copy_short;
    case StackEnd::max_frames:
      return StackTail::depth_limit;
    case StackEnd::no_cfi:
      return StackTail::no_rules;
    case StackEnd::not_mapped:
      return StackTail::not_code;
    case StackEnd::lost_register:
    case StackEnd::bad_stack:
    case StackEnd::bad_cfi:
      return StackTail::broken_chain;
    case StackEnd::no_registers:
      return StackTail::no_registers;
  }
  return StackTail::complete;
}

}  // namespace

CallStack::CallStack(const reader::Recording& recording, const UnwindOptions& options)
    : streamed_(recording.streamed()) {
  if (options.tables != nullptr) unwinder_ = std::make_unique<UserStackUnwinder>(recording, options);
}

CallStack::Stack CallStack::of(const Sample& sample, reader::MapsVersion maps) {
  if (reader::has_branch_calls(sample)) return from_branches(sample);
  if (unwinder_ != nullptr && sample.has(reader::sample_bit::stack_user)) {
    if (const symbolize::UnwoundStack* unwound = unwinder_->unwind(sample, maps)) {
      const bool goes_on = join(sample.callchain, *unwound, words_);
      return {.words = words_,
              .truncated = reader::is_noted_truncated(words_),
              .tail = goes_on ? StackTail::by_frame_pointers : tail_of(unwound->end)};
    }
  }
  return from_callchain(sample);
}

CallStack::Stack CallStack::from_branches(const Sample& sample) {
  if (!reader::join_branch_calls(sample, words_)) return from_callchain(sample);
  return {.words = words_, .truncated = is_truncated(sample), .tail = StackTail::by_calls};
}

CallStack::Stack CallStack::from_callchain(const Sample& sample) {
  if (!sample.callchain.empty()) {
    const bool truncated = is_truncated(sample);
    return {.words = sample.callchain,
            .lasting = stays(sample),
            .truncated = truncated,
            .tail = tail_of_callchain(sample, truncated)};
  }
  words_.clear();
  if (sample.has(reader::sample_bit::ip)) words_.emplace_back(sample.ip);
  return {.words = words_, .tail = has_unused_registers(sample) ? StackTail::not_unwound : StackTail::complete};
}

// Whether user registers were recorded but not used. Kernel threads have no user registers.
bool CallStack::has_unused_registers(const Sample& sample) const {
  return unwinder_ != nullptr && sample.has(reader::sample_bit::stack_user) && !sample.user_registers.values.empty();
}

StackTail CallStack::tail_of_callchain(const Sample& sample, bool truncated) const {
  if (has_unused_registers(sample)) return StackTail::not_unwound;
  if (truncated) return StackTail::depth_limit;
  return sample.has(reader::sample_bit::stack_user) ? StackTail::complete : StackTail::by_frame_pointers;
}

// Whether the callchain lies in the mapped recording. A callchain that was joined, byte-swapped or decompressed lies in
// memory that is reused.
bool CallStack::stays(const Sample& sample) const {
  const auto* chain = reinterpret_cast<const std::byte*>(sample.callchain.data());
  return !streamed_ && chain >= sample.record.data() && chain < sample.record.data() + sample.record.size();
}

}  // namespace perfsift::analysis
