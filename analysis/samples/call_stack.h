// The stack of a sample, whatever it was recorded by, in the form of a callchain.
#pragma once

#include <memory>
#include <vector>

#include "analysis/samples/stack_tail.h"
#include "analysis/samples/user_stack.h"
#include "reader/recording.h"

namespace perfsift::analysis {

// Not thread-safe.
class CallStack {
 public:
  CallStack(const reader::Recording& recording, const UnwindOptions& options);

  struct Stack {
    reader::Words words;     // a callchain, with context markers and callchain_notes; valid until the next call
    bool lasting = false;    // the words lie in the mapped recording, and stay as long as it is open
    bool truncated = false;  // it goes on where the words end: too little was copied, or too few frames recorded
    StackTail tail = StackTail::complete;  // where it ends
  };

  // The kernel's part is always sample.callchain. The user's part is
  //  - with --call-graph lbr: the instruction that ran, and the last branches, which are the calls that have not
  //    returned (see reader::join_branch_calls());
  //  - with --call-graph dwarf: what registers and stack tell (thread__resolve_callchain_unwind()), and where the copy
  //    of the stack ends, what the kernel's own callchain has beyond, if there is one;
  //  - else that of sample.callchain.
  // Without any of them the sample's ip alone, if it was recorded.
  Stack of(const reader::Sample& sample, reader::MapsVersion maps);

 private:
  Stack from_callchain(const reader::Sample& sample);
  bool has_unused_registers(const reader::Sample& sample) const;
  StackTail tail_of_callchain(const reader::Sample& sample, bool truncated) const;
  Stack from_branches(const reader::Sample& sample);
  bool stays(const reader::Sample& sample) const;

  const bool streamed_;
  std::unique_ptr<UserStackUnwinder> unwinder_;  // nullptr: nothing is to be unwound
  std::vector<Unaligned<std::uint64_t>> words_;
};

}  // namespace perfsift::analysis
