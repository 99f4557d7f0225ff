// Joins the recorded callchain and the unwound user stack into one callchain.
#pragma once

#include <vector>

#include "reader/format/sample.h"
#include "symbolize/unwind/unwinder.h"

namespace perfsift::analysis {

// Overwrites `words` with the kernel part of the callchain and the unwound frames, with callchain_notes where frames
// were guessed or come from an earlier sample. If unwinding ended before the end of the stack, and the kernel has
// recorded the user part too, by frame pointers, that part continues the stack. If the stack still does not reach its
// end, a truncated note ends `words`. Returns whether the recorded user part continued the stack.
bool join(reader::Words callchain, const symbolize::UnwoundStack& unwound,
          std::vector<Unaligned<std::uint64_t>>& words);

}  // namespace perfsift::analysis
