// Makes the instruction at a sample's ip the innermost frame of the sample's stack.
//
// The ip and the first address of the callchain are the same instruction, except for precise events (precise_ip: PEBS,
// IBS, and the default of perf record on Intel). There, the ip is the instruction of the event, while the kernel walks
// the stack from the registers of the interrupt, which comes some instructions later: perf_callchain() gets the
// interrupt's registers in setup_pebs_fixed_sample_data(). Meanwhile the program may have entered or left a function,
// or the kernel. The ip is also missing from the callchain of a kernel sample whose callchain was recorded of user code
// only. `perf report` counts a sample for its ip, and so do we.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "reader/callchain.h"
#include "reader/format/sample.h"

namespace perfsift::analysis {

// The function that an address belongs to.
struct FunctionAt {
  std::uint64_t number = 0;  // equal for equal functions; without a symbol, equal for all such addresses of a binary
  bool named = false;        // there is a symbol
  bool at_start = false;     // the address is the first instruction of the function
};

// How the ip becomes the innermost frame of a stack whose first frame is in the same part, kernel or user.
enum class LeafPlace : std::uint8_t {
  in_place,           // the ip replaces the address of the first frame
  instead_of_callee,  // the first frame goes: its caller is the function of the ip
  before,             // the ip stands before the first frame
  before_entry,  // the same; the first frame is at the first instruction of its function, which is no return address
};

// All that decides the LeafPlace.
struct FirstFrames {
  reader::CpuMode mode = reader::CpuMode::unknown;
  std::uint64_t ip = 0;
  std::uint64_t first = 0;   // the address of the first frame
  std::uint64_t caller = 0;  // the return address behind it; 0: there is none
  bool operator==(const FirstFrames&) const = default;
};

// How the ip becomes the innermost frame: words from `begin` to `leaf` stay, then comes the ip, then the words from
// `rest` on.
struct LeafAlignment {
  std::size_t begin = 0;
  std::size_t leaf = 0;
  std::size_t rest = 0;
  bool entered = false;  // the word at `rest` is the first instruction of a function, and no return address
};

// Whether the stack, of which `leaf` is the split_leaf(), already begins with the instruction at the sample's ip, or
// there is no ip. An ip of 0 is none where a callchain has no frame either.
inline bool begins_at_ip(const reader::Sample& sample, reader::Words words, const reader::CallchainPart& leaf) {
  if (!sample.has(reader::sample_bit::ip)) return true;
  if (leaf.addresses.empty()) return !words.empty() && sample.ip == 0;
  return leaf.addresses.front() == sample.ip;
}

namespace detail {

enum class CodePart : std::uint8_t { kernel, user, guest, unknown };

inline CodePart part_of(reader::CpuMode mode) {
  using reader::CpuMode;
  if (mode == CpuMode::kernel || mode == CpuMode::hypervisor) return CodePart::kernel;
  if (mode == CpuMode::user) return CodePart::user;
  return reader::is_guest(mode) ? CodePart::guest : CodePart::unknown;
}

// A call is at most this much shorter than its return address: the longest instruction of x86.
constexpr std::uint64_t longest_call = 15;

}  // namespace detail

// `function_at(CpuMode, address, return_address)` gives a FunctionAt, and is called only where it decides.
template <typename Functions>
LeafPlace leaf_place(const FirstFrames& frames, Functions&& function_at) {
  const bool is_the_call = frames.ip < frames.caller && frames.caller - frames.ip <= detail::longest_call;
  const FunctionAt sampled = function_at(frames.mode, frames.ip, false);
  if (!sampled.named && is_the_call) return LeafPlace::instead_of_callee;
  const FunctionAt interrupted = function_at(frames.mode, frames.first, false);
  if (sampled.number == interrupted.number && sampled.named == interrupted.named) return LeafPlace::in_place;
  if (is_the_call) return LeafPlace::instead_of_callee;
  if (frames.caller != 0 && sampled.named && sampled.number == function_at(frames.mode, frames.caller, true).number)
    return LeafPlace::instead_of_callee;
  return interrupted.at_start ? LeafPlace::before_entry : LeafPlace::before;
}

// How to align a stack for which begins_at_ip() is false. `first`: its split_leaf(). `place_of(FirstFrames)` gives the
// leaf_place(), and is called only where it decides.
//  - In the part, kernel or user, that the ip belongs to: where the first frame is in the function of the ip, the ip
//    replaces its address. Where the caller of the first frame is, the program had not entered the first frame's
//    function yet, so that frame goes. Otherwise the program has returned since, and the ip stands before the frame.
//  - An ip of the kernel stands before a stack of user code only.
//  - An ip of user code replaces the kernel's frames: the program entered the kernel later.
template <typename Places>
LeafAlignment align_leaf(const reader::Sample& sample, reader::Words words, reader::CallchainPart first,
                         Places&& place_of) {
  using detail::CodePart;
  const CodePart part = detail::part_of(sample.cpumode);
  std::size_t begin = 0;
  if (part == CodePart::user && !first.addresses.empty() && detail::part_of(first.mode) == CodePart::kernel) {
    const auto user_part = std::ranges::find_if(words, reader::is_user_marker);
    begin = static_cast<std::size_t>(user_part - words.begin());
    first = reader::split_leaf({user_part, words.end()}, sample.cpumode).leaf;
  }
  const bool same_part = part == CodePart::unknown || part == detail::part_of(first.mode);
  if (first.addresses.empty() || !same_part) return {.begin = begin, .leaf = begin, .rest = begin};
  const auto at = static_cast<std::size_t>(first.addresses.data() - words.data());
  const std::uint64_t next = at + 1 < words.size() ? std::uint64_t{words[at + 1]} : reader::callchain_context::max;
  const LeafPlace place = place_of({.mode = first.mode,
                                    .ip = sample.ip,
                                    .first = words[at],
                                    .caller = next < reader::callchain_context::max ? next : 0});
  const std::size_t replaced = place == LeafPlace::instead_of_callee ? 2 : place == LeafPlace::in_place ? 1 : 0;
  return {.begin = begin, .leaf = at, .rest = at + replaced, .entered = place == LeafPlace::before_entry};
}

// Overwrites `aligned` with the aligned stack. `words` may be the contents of `aligned`.
inline void apply(const LeafAlignment& how, std::uint64_t ip, reader::Words words,
                  std::vector<Unaligned<std::uint64_t>>& aligned) {
  if (words.data() != aligned.data()) aligned.assign(words.begin(), words.end());
  const auto at = [&](std::size_t index) { return aligned.begin() + static_cast<std::ptrdiff_t>(index); };
  // A frame that is no longer the first is taken for a return address, so that its name is that of the byte before.
  if (how.entered) *at(how.rest) = *at(how.rest) + 1;
  if (how.rest == how.leaf) {
    aligned.insert(at(how.leaf), ip);
  } else {
    *at(how.leaf) = ip;
    aligned.erase(at(how.leaf + 1), at(how.rest));
  }
  aligned.erase(aligned.begin(), at(how.begin));
}

}  // namespace perfsift::analysis
