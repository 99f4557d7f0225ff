// Makes the instruction at a sample's ip the innermost frame of the sample's stack.
//
// The ip and the first address of the callchain are the same instruction, except for precise events (precise_ip: PEBS,
// IBS, and the default of perf record on Intel). There, the ip is the instruction of the event, while the kernel walks
// the stack from the registers of the interrupt, which comes some instructions later: perf_callchain() gets the
// interrupt's registers in setup_pebs_fixed_sample_data(). Meanwhile the program may have entered or left a function,
// or the kernel. The ip is also missing from the callchain of a kernel sample whose callchain was recorded of user code
// only. `perf report` counts a sample for its ip, and so do we.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
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

// How the ip becomes the innermost frame: words from `begin` to `leaf` stay, then comes the ip, then the words from
// `rest` on.
struct LeafAlignment {
  std::size_t begin = 0;
  std::size_t leaf = 0;
  std::size_t rest = 0;
  bool entered = false;  // the word at `rest` is the first instruction of a function, and no return address
};

// Whether the stack already begins with the instruction at the sample's ip, or there is no ip. An ip of 0 is none where
// a callchain has no frame either.
inline bool begins_at_ip(const reader::Sample& sample, reader::Words words) {
  if (!sample.has(reader::sample_bit::ip)) return true;
  const reader::SplitCallchain split = reader::split_leaf(words, sample.cpumode);
  if (split.leaf.addresses.empty()) return !words.empty() && sample.ip == 0;
  return split.leaf.addresses.front() == sample.ip;
}

namespace detail {

enum class CodePart : std::uint8_t { kernel, user, guest, unknown };

inline CodePart part_of(reader::CpuMode mode) {
  using reader::CpuMode;
  if (mode == CpuMode::kernel || mode == CpuMode::hypervisor) return CodePart::kernel;
  if (mode == CpuMode::user) return CodePart::user;
  return reader::is_guest(mode) ? CodePart::guest : CodePart::unknown;
}

// The index of the first frame, and its mode; the size of the words where there is none.
struct FirstFrame {
  std::size_t index = 0;
  reader::CpuMode mode = reader::CpuMode::unknown;
};

inline FirstFrame first_frame(reader::Words words, std::size_t from, reader::CpuMode mode) {
  for (std::size_t i = from; i < words.size(); ++i) {
    if (words[i] < reader::callchain_context::max) return {.index = i, .mode = mode};
    if (reader::ends_frames(words[i])) break;
    if (!reader::callchain_note::is_of_frames(words[i])) mode = reader::mode_of_context(words[i]);
  }
  return {.index = words.size(), .mode = mode};
}

// The marker that begins the user part; the size of the words where there is none.
inline std::size_t user_marker(reader::Words words) {
  namespace context = reader::callchain_context;
  std::size_t i = 0;
  while (i < words.size() && words[i] != context::user && words[i] != context::user_deferred) ++i;
  return i;
}

// A call is at most this much shorter than its return address: the longest instruction of x86.
constexpr std::uint64_t longest_call = 15;

// The alignment to a stack whose first frame is in the same part, kernel or user, as the ip. `at` is the index of the
// first frame.
template <typename Functions>
LeafAlignment align_to_frame(std::uint64_t ip, reader::Words words, std::size_t begin, const FirstFrame& first,
                             Functions&& function_at) {
  const std::size_t at = first.index;
  const LeafAlignment in_place{.begin = begin, .leaf = at, .rest = at + 1};
  const LeafAlignment instead_of_callee{.begin = begin, .leaf = at, .rest = at + 2};
  const bool has_caller = at + 1 < words.size() && words[at + 1] < reader::callchain_context::max;
  const bool is_the_call = has_caller && ip < words[at + 1] && words[at + 1] - ip <= longest_call;
  const FunctionAt sampled = function_at(first.mode, ip, false);
  if (!sampled.named && is_the_call) return instead_of_callee;
  const FunctionAt interrupted = function_at(first.mode, words[at], false);
  if (sampled.number == interrupted.number && sampled.named == interrupted.named) return in_place;
  if (is_the_call) return instead_of_callee;
  if (has_caller && sampled.named && sampled.number == function_at(first.mode, words[at + 1], true).number)
    return instead_of_callee;
  return {.begin = begin, .leaf = at, .rest = at, .entered = interrupted.at_start};
}

}  // namespace detail

// How to align a stack for which begins_at_ip() is false. `function_at(CpuMode, address, return_address)` gives a
// FunctionAt, and is called only where it decides.
//  - In the part, kernel or user, that the ip belongs to: where the first frame is in the function of the ip, the ip
//    replaces its address. Where the caller of the first frame is, the program had not entered the first frame's
//    function yet, so that frame goes. Otherwise the program has returned since, and the ip stands before the frame.
//  - An ip of the kernel stands before a stack of user code only.
//  - An ip of user code replaces the kernel's frames: the program entered the kernel later.
template <typename Functions>
LeafAlignment align_leaf(const reader::Sample& sample, reader::Words words, Functions&& function_at) {
  using detail::CodePart;
  const CodePart part = detail::part_of(sample.cpumode);
  std::size_t begin = 0;
  detail::FirstFrame first = detail::first_frame(words, 0, sample.cpumode);
  if (part == CodePart::user && first.index < words.size() && detail::part_of(first.mode) == CodePart::kernel) {
    begin = detail::user_marker(words);
    first = detail::first_frame(words, begin, sample.cpumode);
  }
  const bool same_part = part == CodePart::unknown || part == detail::part_of(first.mode);
  if (first.index >= words.size() || !same_part) return {.begin = begin, .leaf = begin, .rest = begin};
  return detail::align_to_frame(sample.ip, words, begin, first, function_at);
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
