// The frames of a sample, in the order of its callchain: leaf first.
#pragma once

#include "reader/sample.h"

namespace perfsift::reader {

// What a context marker says about the frames after it; unknown for markers nobody here knows.
inline CpuMode mode_of_context(std::uint64_t marker) {
  switch (marker) {
    case callchain_context::hypervisor:
      return CpuMode::hypervisor;
    case callchain_context::kernel:
      return CpuMode::kernel;
    case callchain_context::user:
    case callchain_context::user_deferred:
      return CpuMode::user;
    case callchain_context::guest:
    case callchain_context::guest_kernel:
      return CpuMode::guest_kernel;
    case callchain_context::guest_user:
      return CpuMode::guest_user;
    default:
      return CpuMode::unknown;
  }
}

// Calls frame(CpuMode, ip, bool return_address) for each frame of a callchain whose first entries are of `mode`.
//
// The kernel writes the interrupted ip itself as the first entry of each context (perf_callchain_kernel(),
// perf_callchain_user()); every other entry is a return address. What follows a USER_DEFERRED marker that was never
// joined is a cookie, not an address.
template <typename Callback>
void for_each_frame(Words callchain, CpuMode mode, Callback&& frame) {
  bool first = true;
  for (const std::uint64_t entry : callchain) {
    if (entry >= callchain_context::max) {
      if (entry == callchain_context::user_deferred) return;
      mode = mode_of_context(entry);
      first = true;
      continue;
    }
    frame(mode, entry, !first);
    first = false;
  }
}

// The same for a sample; without a callchain for its ip alone.
template <typename Callback>
void for_each_frame(const Sample& sample, Callback&& frame) {
  if (!sample.callchain.empty()) return for_each_frame(sample.callchain, sample.cpumode, frame);
  if (sample.has(sample_bit::ip)) frame(sample.cpumode, sample.ip, false);
}

}  // namespace perfsift::reader
