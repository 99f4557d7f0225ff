// The stack of a sample as a callchain, for every way of recording stacks.
#pragma once

#include <memory>
#include <vector>

#include "analysis/samples/function_finder.h"
#include "analysis/samples/stack_tail.h"
#include "analysis/samples/user_stack.h"
#include "reader/recording.h"

namespace perfsift::analysis {

// Not thread-safe.
class CallStack {
 public:
  CallStack(const reader::Recording& recording, const UnwindOptions& options);

  struct Stack {
    reader::Words words;   // a callchain, with context markers and callchain_notes; valid until the next call
    bool lasting = false;  // the words lie in the mapped recording and live as long as the recording is open
    // The words behind the leaf, where they lie in the mapped recording although `words` do not: only the leaf differs
    // from what was recorded. Otherwise empty.
    reader::Words lasting_callers;
    bool truncated = false;  // outer frames are missing: the copy of the stack or the frame limit was too small
    StackTail tail = StackTail::complete;  // where the stack ends

    // The words behind the leaf of `split`, which are the words of the stack, and whether they last.
    struct Callers {
      reader::Words words;
      bool lasting = false;
    };
    Callers callers(const reader::SplitCallchain& split) const {
      if (!lasting_callers.empty()) return {.words = lasting_callers, .lasting = true};
      return {.words = split.callers, .lasting = lasting};
    }
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
  Stack of(const reader::Sample& sample, const reader::ThreadState& thread);

 private:
  Stack from_stack_copy(const reader::Sample& sample, reader::MapsVersion maps);
  Stack from_callchain(const reader::Sample& sample, reader::MapsVersion maps);
  bool add_caller_of_leaf(const reader::Sample& sample, reader::MapsVersion maps);
  bool may_have_link_register(const reader::Sample& sample) const;
  bool has_unused_registers(const reader::Sample& sample) const;
  StackTail tail_of_callchain(const reader::Sample& sample, bool truncated) const;
  Stack from_branches(const reader::Sample& sample, reader::MapsVersion maps);
  bool stays(const reader::Sample& sample) const;

  const bool streamed_;
  const reader::Timeline& timeline_;
  const UnwindOptions options_;
  std::unique_ptr<FunctionFinder> functions_;    // created on first use: few recordings need it, and it is large
  std::unique_ptr<UserStackUnwinder> unwinder_;  // nullptr: stacks are not unwound
  std::vector<Unaligned<std::uint64_t>> words_;
};

}  // namespace perfsift::analysis
