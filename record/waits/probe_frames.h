// The frames of tracing itself, which are at the leaf of each stack that a BPF program takes of the kernel.
//
//      bpf_prog_6deef7357e7b4530_on_switch < bpf_trace_run4 < __schedule < schedule < …
//      └── cut off ────────────────────────────────────────┘
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace perfsift::record {

// Immutable.
class ProbeFrames {
 public:
  // `kallsyms`: the path of the kernel's list of symbols. Without its addresses, nothing is cut off.
  explicit ProbeFrames(const std::string& kallsyms = "/proc/kallsyms");

  // `stack`: of the kernel, the leaf first.
  std::span<const std::uint64_t> without(std::span<const std::uint64_t> stack) const;

 private:
  bool has(std::uint64_t address) const;

  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges_;  // sorted
};

}  // namespace perfsift::record
