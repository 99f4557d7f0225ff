#include "analysis/samples/call_stack.h"

#include <algorithm>
#include <iterator>

#include "analysis/samples/aligned_leaf.h"
#include "analysis/samples/callchain.h"
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

// The end of a stack that was unwound when the recording was packed.
std::optional<StackTail> end_noted(const Sample& sample) {
  const bool is_noted = sample.has(reader::sample_bit::stack_user) && reader::was_unwound(sample.callchain);
  return is_noted ? tail_of_note(sample.callchain.back()) : std::nullopt;
}

}  // namespace

CallStack::CallStack(const reader::Recording& recording, const UnwindOptions& options)
    : streamed_(recording.streamed()), timeline_(recording.timeline()), options_(options) {
  if (options.symbolizer != nullptr) unwinder_ = std::make_unique<UserStackUnwinder>(recording, options);
}

CallStack::Stack CallStack::of(const Sample& sample, const reader::ThreadState& thread) {
  const bool has_copy = unwinder_ != nullptr && sample.has(reader::sample_bit::stack_user);
  Stack stack = reader::has_branch_calls(sample) ? from_branches(sample, thread.maps)
                : has_copy                       ? from_stack_copy(sample, thread.maps)
                                                 : from_callchain(sample, thread.maps);
  if (begins_at_ip(sample, stack.words)) return stack;
  if (functions_ == nullptr)
    functions_ = std::make_unique<FunctionFinder>(timeline_, options_.symbolizer, options_.code_versions);
  const LeafAlignment alignment = align_leaf(sample, stack.words, [&](const FirstFrames& frames) {
    return functions_->place_of(frames, thread, sample.time);
  });
  if (stack.lasting && !alignment.entered) stack.lasting_callers = stack.words.subspan(alignment.rest);
  apply(alignment, sample.ip, stack.words, words_);
  stack.words = words_;
  stack.lasting = false;
  return stack;
}

CallStack::Stack CallStack::from_stack_copy(const Sample& sample, reader::MapsVersion maps) {
  if (const symbolize::UnwoundStack* unwound = unwinder_->unwind(sample, maps)) {
    const bool goes_on = join(sample.callchain, *unwound, words_);
    return {.words = words_,
            .truncated = reader::is_noted_truncated(words_),
            .tail = goes_on ? StackTail::leaf_caller_known : tail_of(unwound->end)};
  }
  return from_callchain(sample, maps);
}

CallStack::Stack CallStack::from_branches(const Sample& sample, reader::MapsVersion maps) {
  if (!reader::join_branch_calls(sample, words_)) return from_callchain(sample, maps);
  return {.words = words_, .truncated = is_truncated(sample), .tail = StackTail::by_calls};
}

CallStack::Stack CallStack::from_callchain(const Sample& sample, reader::MapsVersion maps) {
  if (const auto end = end_noted(sample)) {
    const reader::Words words = sample.callchain.first(sample.callchain.size() - 1);
    return {.words = words, .lasting = stays(sample), .truncated = reader::is_noted_truncated(words), .tail = *end};
  }
  if (!sample.callchain.empty()) {
    const bool truncated = is_truncated(sample);
    const bool is_longer = may_have_link_register(sample) && add_caller_of_leaf(sample, maps);
    return {.words = is_longer ? reader::Words(words_) : sample.callchain,
            .lasting = !is_longer && stays(sample),
            .truncated = truncated,
            .tail = tail_of_callchain(sample, truncated)};
  }
  words_.clear();
  return {.words = words_, .tail = has_unused_registers(sample) ? StackTail::not_unwound : StackTail::complete};
}

// Overwrites words_ with a longer callchain where the link register has a caller that the callchain lacks.
bool CallStack::add_caller_of_leaf(const Sample& sample, reader::MapsVersion maps) {
  const reader::Words chain = sample.callchain;
  const auto first = first_user_frame(chain);
  const auto caller = first ? unwinder_->caller_by_link_register(sample, chain[*first], maps) : std::nullopt;
  if (!caller) return false;
  words_.assign(chain.begin(), chain.end());
  words_.insert(words_.begin() + static_cast<std::ptrdiff_t>(*first + 1), *caller);
  return true;
}

bool CallStack::may_have_link_register(const Sample& sample) const {
  return unwinder_ != nullptr && sample.has(reader::sample_bit::regs_user);
}

// Whether user registers were recorded but not used. Kernel threads have no user registers.
bool CallStack::has_unused_registers(const Sample& sample) const {
  return unwinder_ != nullptr && sample.has(reader::sample_bit::stack_user) && !sample.user_registers.values.empty();
}

StackTail CallStack::tail_of_callchain(const Sample& sample, bool truncated) const {
  if (has_unused_registers(sample)) return StackTail::not_unwound;
  if (truncated) return StackTail::depth_limit;
  if (sample.has(reader::sample_bit::stack_user)) return StackTail::complete;
  const bool knows_caller = may_have_link_register(sample) && unwinder_->has_link_register(sample);
  return knows_caller ? StackTail::leaf_caller_known : StackTail::by_frame_pointers;
}

// Whether the callchain lies in the mapped recording. A callchain that was joined, byte-swapped or decompressed lies in
// memory that is reused.
bool CallStack::stays(const Sample& sample) const {
  const auto* chain = reinterpret_cast<const std::byte*>(sample.callchain.data());
  return !streamed_ && chain >= sample.record.data() && chain < sample.record.data() + sample.record.size();
}

}  // namespace perfsift::analysis
