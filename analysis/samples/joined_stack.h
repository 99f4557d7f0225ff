// One callchain of two: what the kernel recorded, and what registers and stack told of the user's part.
#pragma once

#include <vector>

#include "reader/format/sample.h"
#include "symbolize/unwind/unwinder.h"

namespace perfsift::analysis {

// Overwrites `words` with the kernel's part of the callchain and the unwound frames, with callchain_notes where they
// were guessed or are of an earlier sample. Where the frames end before the stack does, and the kernel has recorded the
// user's part as well, by frame pointers, it goes on with that. When it then still does not reach the end, it is noted
// to be truncated. Says whether it went on.
bool join(reader::Words callchain, const symbolize::UnwoundStack& unwound,
          std::vector<Unaligned<std::uint64_t>>& words);

}  // namespace perfsift::analysis
