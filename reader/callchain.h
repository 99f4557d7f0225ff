// The frames of a sample, in the order of its callchain: leaf first.
#pragma once

#include <algorithm>
#include <utility>

#include "reader/format/sample.h"

namespace perfsift::reader {

// The CPU mode of the frames after a context marker; unknown for unknown markers.
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

// Markers of perfsift, for callchains assembled from more than the kernel's: values that the kernel does not use.
namespace callchain_note {
constexpr std::uint64_t found = ~std::uint64_t{3000};     // nothing special about the frames after the marker
constexpr std::uint64_t guessed = ~std::uint64_t{3001};   // frame pointers guessed the frames after the marker
constexpr std::uint64_t repaired = ~std::uint64_t{3002};  // the frames after the marker come from an earlier sample
// The kind of a first frame whose callers only frame pointers show. No callchain has this value.
constexpr std::uint64_t before_frame_pointers = ~std::uint64_t{3003};
constexpr std::uint64_t truncated = ~std::uint64_t{3004};  // the stack continues, its outer frames are missing

// The last word of a callchain that was unwound when the recording was packed: where the stack ends. Smaller words,
// down to last_end, are other ends (analysis/samples/stack_tail.h).
constexpr std::uint64_t first_end = ~std::uint64_t{3100}, last_end = ~std::uint64_t{3131};

constexpr bool is_end(std::uint64_t entry) { return entry <= first_end && entry >= last_end; }
constexpr bool is_of_frames(std::uint64_t entry) { return entry <= found && entry >= repaired; }
}  // namespace callchain_note

// Adjacent frames of a callchain that are of one kind.
struct CallchainPart {
  CpuMode mode = CpuMode::unknown;
  std::uint64_t note = callchain_note::found;
  bool starts_a_call = false;  // the first address is the instruction itself; all others are return addresses
  Words addresses;             // never empty
};

// Whether the callchain was unwound when the recording was packed.
inline bool was_unwound(Words callchain) { return !callchain.empty() && callchain_note::is_end(callchain.back()); }

inline bool is_user_marker(std::uint64_t entry) {
  return entry == callchain_context::user || entry == callchain_context::user_deferred;
}

// Whether no frames follow an entry: after a USER_DEFERRED marker whose user part never came stands a cookie.
constexpr bool ends_frames(std::uint64_t entry) {
  return entry == callchain_context::user_deferred || entry == callchain_note::truncated ||
         callchain_note::is_end(entry);
}

// The kind of the frames after a marker that does not end the callchain. `part`: the kind of the frames before the
// marker.
inline CallchainPart part_after(std::uint64_t marker, CallchainPart part) {
  if (!callchain_note::is_of_frames(marker)) return {.mode = mode_of_context(marker), .starts_a_call = true};
  part.note = marker;
  return part;
}

// Calls part(CallchainPart) for each part of a callchain. `part` gives the kind of the first entries.
//
// The kernel writes the interrupted ip itself as the first entry of each context (perf_callchain_kernel(),
// perf_callchain_user()); every other entry is a return address.
template <typename Callback>
void for_each_part(Words callchain, CallchainPart part, Callback&& callback) {
  std::size_t start = 0;
  const auto end_part = [&](std::size_t end) {
    if (start == end) return;
    part.addresses = callchain.subspan(start, end - start);
    callback(part);
    part.starts_a_call = false;
  };
  for (std::size_t i = 0; i < callchain.size(); ++i) {
    const std::uint64_t entry = callchain[i];
    if (entry < callchain_context::max) continue;
    end_part(i);
    start = i + 1;
    if (ends_frames(entry)) return;
    part = part_after(entry, part);
  }
  end_part(callchain.size());
}
// Visits a whole callchain whose first entries are of `mode`.
template <typename Callback>
void for_each_part(Words callchain, CpuMode mode, Callback&& callback) {
  for_each_part(callchain, CallchainPart{.mode = mode, .starts_a_call = true}, std::forward<Callback>(callback));
}

// A callchain in two parts: the leaf, which is the instruction that ran, and the callers, which many samples share.
struct SplitCallchain {
  CallchainPart leaf;  // one address, or none: then the callchain has no frame
  Words callers;       // the rest of the callchain; its first entries have the leaf's mode and note
};

// `mode`: of the first entries of the callchain.
inline SplitCallchain split_leaf(Words callchain, CpuMode mode) {
  CallchainPart leaf{.mode = mode, .starts_a_call = true};
  for (std::size_t i = 0; i < callchain.size(); ++i) {
    const std::uint64_t entry = callchain[i];
    if (entry < callchain_context::max) {
      leaf.addresses = callchain.subspan(i, 1);
      return {.leaf = leaf, .callers = callchain.subspan(i + 1)};
    }
    if (ends_frames(entry)) break;
    leaf = part_after(entry, leaf);
  }
  return {.leaf = leaf, .callers = callchain};
}

// Whether a marker notes that the stack continues.
inline bool is_noted_truncated(Words callchain) {
  return !callchain.empty() && callchain.back() == callchain_note::truncated;
}

// Whether a callchain has as many frames as could be recorded, so that frames are most likely missing. Context markers
// are no frames. A limit of 0 means kernel.perf_event_max_stack, by default 127.
inline bool is_truncated(const Sample& sample) {
  constexpr std::size_t default_max_stack = 127;  // PERF_MAX_STACK_DEPTH
  const std::size_t told = sample.event->attr.sample_max_stack;
  const std::size_t limit = told != 0 ? told : default_max_stack;
  if (sample.callchain.size() < limit) return false;
  const auto frames =
      std::ranges::count_if(sample.callchain, [](std::uint64_t entry) { return entry < callchain_context::max; });
  return static_cast<std::size_t>(frames) >= limit;
}

// Calls frame(CpuMode, ip, bool return_address) for each frame of a callchain.
template <typename Callback>
void for_each_frame(Words callchain, CpuMode mode, Callback&& frame) {
  for_each_part(callchain, mode, [&](const CallchainPart& part) {
    bool return_address = !part.starts_a_call;
    for (const std::uint64_t ip : part.addresses) {
      frame(part.mode, ip, return_address);
      return_address = true;
    }
  });
}

// Visits the frames of a sample. A sample without a callchain has one frame, its ip.
template <typename Callback>
void for_each_frame(const Sample& sample, Callback&& frame) {
  if (!sample.callchain.empty()) return for_each_frame(sample.callchain, sample.cpumode, frame);
  if (sample.has(sample_bit::ip)) frame(sample.cpumode, sample.ip, false);
}

}  // namespace perfsift::reader
