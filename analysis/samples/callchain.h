// Turns the recorded callchain of a sample into the frames that are printed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/samples/style.h"
#include "reader/format/sample.h"
#include "symbolize/unwind/unwinder.h"

namespace perfsift::analysis {

struct Frame {
  std::uint64_t address = 0;
  reader::CpuMode mode = reader::CpuMode::user;
  bool return_address = false;  // the call is the instruction before
  bool unwound = false;         // from registers and stack; callers then have the addresses of their calls
};

// The frames, leaf first, without context markers, at most `max_stack` of them. perf's rules
// (thread__resolve_callchain_sample() and add_callchain_ip() in tools/perf/util/machine.c):
//  - entries before the first marker are taken for user code, even in a sample of the kernel;
//  - a marker unknown to perf means a damaged chain: no entry of the chain is used;
//  - where the hardware kept the user's call stack (LBR), the branches replace the user frames, except the leaf.
//  - the caller from the link register stands before the second user entry: see
//    UserStackUnwinder::caller_by_link_register().
// A chain that ends in the marker of a deferred user part keeps its entries.
void callchain_frames(const reader::Sample& sample, unsigned max_stack, PerfStyle style, std::vector<Frame>& frames,
                      std::optional<std::uint64_t> caller_by_link_register = std::nullopt);
// The index of the first user frame of a callchain.
std::optional<std::size_t> first_user_frame(reader::Words callchain);

// Appends the frames of an unwound user stack with the addresses that perf gives them: the byte before a return address
// belongs to the call (entry() in tools/perf/util/unwind-libunwind-local.c and unwind-libdw.c).
void append_unwound(const symbolize::UnwoundStack& stack, std::vector<Frame>& frames);

}  // namespace perfsift::analysis
