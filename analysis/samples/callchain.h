// From the callchain of a sample, as recorded, to the frames that are printed.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/samples/style.h"
#include "reader/format/sample.h"
#include "symbolize/unwind/unwinder.h"

namespace perfsift::analysis {

struct Frame {
  std::uint64_t address = 0;
  reader::CpuMode mode = reader::CpuMode::user;
  bool return_address = false;  // the call is in front of it
  bool unwound = false;         // from registers and stack; callers are then known by their calls
};

// The frames, leaf first, without context markers, at most `max_stack` of them. perf's rules
// (thread__resolve_callchain_sample() and add_callchain_ip() in tools/perf/util/machine.c):
//  - what comes before any marker is taken for user code, even in a sample of the kernel;
//  - a marker perf does not know means a damaged chain: nothing of it is used;
//  - where the hardware kept the user's call stack (LBR), its branches replace the user frames but the
//    leaf.
// A chain that ends in the marker of a deferred user part keeps what it has.
void callchain_frames(const reader::Sample& sample, unsigned max_stack, PerfStyle style, std::vector<Frame>& frames);

// Appends the frames of an unwound user stack as perf has them: the byte before a return address belongs to the call
// (entry() in tools/perf/util/unwind-libunwind-local.c and unwind-libdw.c).
void append_unwound(const symbolize::UnwoundStack& stack, std::vector<Frame>& frames);

}  // namespace perfsift::analysis
