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

reader::Words CallStack::Stack::put_together() const {
  apply(alignment_, split_.leaf.addresses.front(), words_, *aligned_);
  return *aligned_;
}

const CallStack::Stack& CallStack::of(const Sample& sample, const reader::ThreadState& thread) {
  stack_.aligned_ = nullptr;
  if (reader::has_branch_calls(sample)) {
    set_branches(sample, thread.maps);
  } else if (unwinder_ != nullptr && sample.has(reader::sample_bit::stack_user)) {
    set_unwound(sample, thread.maps);
  } else {
    set_callchain(sample, thread.maps);
  }
  stack_.split_ = reader::split_leaf(stack_.words_, sample.cpumode);
  if (!begins_at_ip(sample, stack_.words_, stack_.leaf())) align(sample, thread);
  return stack_;
}

void CallStack::align(const Sample& sample, const reader::ThreadState& thread) {
  if (functions_ == nullptr)
    functions_ = std::make_unique<FunctionFinder>(timeline_, options_.symbolizer, options_.code_versions);
  if (stack_.lasting_ && is_in_first_function(sample, thread)) {
    const std::size_t place = stack_.leaf_place();
    return replace_leaf(sample.ip, {.leaf = place, .rest = place + 1});
  }
  const LeafAlignment alignment = align_leaf(sample, stack_.words_, stack_.leaf(), [&](const FirstFrames& frames) {
    return functions_->place_of(frames, thread, sample.time);
  });
  if (stack_.lasting_ && !alignment.entered) {
    stack_.split_.leaf = {.mode = sample.cpumode, .starts_a_call = true};
    for (const std::uint64_t marker : stack_.words_.subspan(alignment.begin, alignment.leaf - alignment.begin))
      stack_.split_.leaf = reader::part_after(marker, stack_.split_.leaf);
    return replace_leaf(sample.ip, alignment);
  }
  apply(alignment, sample.ip, stack_.words_, words_);
  stack_.words_ = words_;
  stack_.lasting_ = false;
  stack_.split_ = reader::split_leaf(stack_.words_, sample.cpumode);
}

// Whether the ip is in the function of the first frame, as of nearly all samples.
bool CallStack::is_in_first_function(const Sample& sample, const reader::ThreadState& thread) {
  const reader::CallchainPart& leaf = stack_.leaf();
  if (leaf.addresses.empty() || leaf.mode != sample.cpumode) return false;
  return functions_->are_in_one_function({.mode = leaf.mode, .ip = sample.ip, .first = leaf.addresses.front()}, thread,
                                         sample.time);
}

// The words stay in the recording. The kind of the leaf is that of stack_.
void CallStack::replace_leaf(std::uint64_t ip, const LeafAlignment& alignment) {
  leaf_ = ip;
  stack_.split_.leaf.addresses = {&leaf_, 1};
  stack_.split_.callers = stack_.words_.subspan(alignment.rest);
  stack_.alignment_ = alignment;
  stack_.aligned_ = &words_;
}

void CallStack::set(reader::Words words, bool lasting, bool truncated, StackTail tail) {
  stack_.words_ = words;
  stack_.lasting_ = lasting;
  stack_.truncated = truncated;
  stack_.tail = tail;
}

void CallStack::set_unwound(const Sample& sample, reader::MapsVersion maps) {
  const symbolize::UnwoundStack* const unwound = unwinder_->unwind(sample, maps);
  if (unwound == nullptr) return set_callchain(sample, maps);
  const bool goes_on = join(sample.callchain, *unwound, words_);
  set(words_, false, reader::is_noted_truncated(words_),
      goes_on ? StackTail::leaf_caller_known : tail_of(unwound->end));
}

void CallStack::set_branches(const Sample& sample, reader::MapsVersion maps) {
  if (!reader::join_branch_calls(sample, words_)) return set_callchain(sample, maps);
  set(words_, false, is_truncated(sample), StackTail::by_calls);
}

void CallStack::set_callchain(const Sample& sample, reader::MapsVersion maps) {
  if (const auto end = end_noted(sample)) {
    const reader::Words words = sample.callchain.first(sample.callchain.size() - 1);
    set(words, stays(sample), reader::is_noted_truncated(words), *end);
  } else if (!sample.callchain.empty()) {
    const bool truncated = is_truncated(sample);
    const bool is_longer = may_have_link_register(sample) && add_caller_of_leaf(sample, maps);
    set(is_longer ? reader::Words(words_) : sample.callchain, !is_longer && stays(sample), truncated,
        tail_of_callchain(sample, truncated));
  } else {
    words_.clear();
    set(words_, false, false, has_unused_registers(sample) ? StackTail::not_unwound : StackTail::complete);
  }
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
