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

// Calls part(CpuMode, Words addresses) for each part of a callchain between context markers; its first entries are of
// `mode`. No part is empty.
//
// The kernel writes the interrupted ip itself as the first entry of each context (perf_callchain_kernel(),
// perf_callchain_user()); every other entry is a return address. What follows a USER_DEFERRED marker that was never
// joined is a cookie, not an address.
template <typename Callback>
void for_each_part(Words callchain, CpuMode mode, Callback&& part) {
  std::size_t start = 0;
  for (std::size_t i = 0; i < callchain.size(); ++i) {
    const std::uint64_t entry = callchain[i];
    if (entry < callchain_context::max) continue;
    if (i != start) part(mode, callchain.subspan(start, i - start));
    if (entry == callchain_context::user_deferred) return;
    mode = mode_of_context(entry);
    start = i + 1;
  }
  if (start != callchain.size()) part(mode, callchain.subspan(start));
}

// Calls frame(CpuMode, ip, bool return_address) for each frame of a callchain.
template <typename Callback>
void for_each_frame(Words callchain, CpuMode mode, Callback&& frame) {
  for_each_part(callchain, mode, [&](CpuMode mode_of_part, Words addresses) {
    bool first = true;
    for (const std::uint64_t ip : addresses) {
      frame(mode_of_part, ip, !first);
      first = false;
    }
  });
}

// The same for a sample; without a callchain for its ip alone.
template <typename Callback>
void for_each_frame(const Sample& sample, Callback&& frame) {
  if (!sample.callchain.empty()) return for_each_frame(sample.callchain, sample.cpumode, frame);
  if (sample.has(sample_bit::ip)) frame(sample.cpumode, sample.ip, false);
}

}  // namespace perfsift::reader
