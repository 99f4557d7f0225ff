// Which callchain tells the stack of a sample: the kernel's own, or what the processor recorded.
#pragma once

#include <vector>

#include "reader/sample.h"

namespace perfsift::tools {

// Not thread-safe.
class CallStack {
 public:
  // Most samples: sample.callchain. With --call-graph lbr the last branches are the calls that have not returned; they
  // stand for the user's part of the callchain, which needs frame pointers, as perf has it
  // (resolve_lbr_callchain_sample()). Valid until the next call.
  reader::Words of(const reader::Sample& sample) {
    const bool calls =
        sample.has_branch_stack && (sample.event->attr.branch_sample_type & reader::branch_sample::call_stack) != 0;
    return calls ? from_branches(sample) : sample.callchain;
  }

 private:
  reader::Words from_branches(const reader::Sample& sample);

  std::vector<Unaligned<std::uint64_t>> words_;
};

}  // namespace perfsift::tools
