// The stack of a sample as a callchain, for every way of recording stacks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "analysis/samples/aligned_leaf.h"
#include "analysis/samples/function_finder.h"
#include "analysis/samples/stack_tail.h"
#include "analysis/samples/user_stack.h"
#include "reader/callchain.h"
#include "reader/recording.h"

namespace perfsift::analysis {

// Not thread-safe.
class CallStack {
 public:
  CallStack(const reader::Recording& recording, const UnwindOptions& options);

  // Valid until the next call of of().
  class Stack {
   public:
    // The instruction that ran, and the words behind it.
    const reader::CallchainPart& leaf() const { return split_.leaf; }
    reader::Words callers() const { return split_.callers; }
    // Whether the callers lie in the mapped recording and live as long as the recording is open.
    bool callers_last() const { return lasting_; }
    // The whole stack as a callchain, with context markers and callchain_notes. It is put together in each call if its
    // leaf is not the one of the callchain in the recording.
    reader::Words words() const { return aligned_ == nullptr ? words_ : put_together(); }
    // As callers_last(), of words().
    bool words_last() const { return lasting_ && aligned_ == nullptr; }

    bool truncated = false;  // outer frames are missing: the copy of the stack or the frame limit was too small
    StackTail tail = StackTail::complete;  // where the stack ends

   private:
    friend class CallStack;
    reader::Words put_together() const;
    // The index of the leaf in words_, if there is one.
    std::size_t leaf_place() const { return words_.size() - split_.callers.size() - 1; }

    reader::Words words_;
    bool lasting_ = false;
    reader::SplitCallchain split_;
    // With another leaf than that of words_: where words() puts the stack together, and how.
    std::vector<Unaligned<std::uint64_t>>* aligned_ = nullptr;
    LeafAlignment alignment_;
  };

  // The innermost frame is the instruction at the sample's ip (see align_leaf()). The other frames of the kernel part
  // always come from sample.callchain. The user part is
  //  - with --call-graph lbr: the instruction that ran, and the last branches, which are the calls that have not
  //    returned (see reader::join_branch_calls());
  //  - with --call-graph dwarf: unwound from registers and stack (thread__resolve_callchain_unwind()). Where the copy
  //    of the stack ends too early, the kernel's own callchain continues the stack, if there is one;
  //  - otherwise the user part of sample.callchain. Where the link register was recorded, it has the caller of a leaf
  //    without a frame.
  // Without a callchain and an unwound stack, the stack is the sample's ip alone, if the ip was recorded. `thread`: at
  // the moment of the sample.
  const Stack& of(const reader::Sample& sample, const reader::ThreadState& thread);

 private:
  // These set all of stack_ but its leaf and callers, which are those of the words then.
  void set(reader::Words words, bool lasting, bool truncated, StackTail tail);
  void set_unwound(const reader::Sample& sample, reader::MapsVersion maps);
  void set_branches(const reader::Sample& sample, reader::MapsVersion maps);
  void set_callchain(const reader::Sample& sample, reader::MapsVersion maps);
  // Makes the ip the leaf of stack_.
  void align(const reader::Sample& sample, const reader::ThreadState& thread);
  bool is_in_first_function(const reader::Sample& sample, const reader::ThreadState& thread);
  void replace_leaf(std::uint64_t ip, const LeafAlignment& alignment);
  bool add_caller_of_leaf(const reader::Sample& sample, reader::MapsVersion maps);
  bool may_have_link_register(const reader::Sample& sample) const;
  bool has_unused_registers(const reader::Sample& sample) const;
  StackTail tail_of_callchain(const reader::Sample& sample, bool truncated) const;
  bool stays(const reader::Sample& sample) const;

  const bool streamed_;
  const reader::Timeline& timeline_;
  const UnwindOptions options_;
  std::unique_ptr<FunctionFinder> functions_;    // created on first use: few recordings need it, and it is large
  std::unique_ptr<UserStackUnwinder> unwinder_;  // nullptr: stacks are not unwound
  std::vector<Unaligned<std::uint64_t>> words_;
  Stack stack_;                    // of the last sample
  Unaligned<std::uint64_t> leaf_;  // the address of a Stack::leaf() that is not in Stack::words_
};

}  // namespace perfsift::analysis
