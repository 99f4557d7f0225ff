// What can be told from a few instructions around a program counter, where there is no CFI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/byte_reader.h"
#include "symbolize/unwind/architecture.h"

namespace perfsift::symbolize {

// The code around a place. Empty where it is not known.
struct CodeAround {
  static constexpr std::size_t most_before = 8;  // no pattern looks further back
  Bytes bytes;                                   // to wherever the code ends
  std::size_t before = 0;                        // how many of them are in front of the place

  // From `distance` bytes in front of the place on; empty where there is nothing.
  Bytes from(std::size_t distance) const {
    return distance <= before && before - distance <= bytes.size() ? bytes.subspan(before - distance) : Bytes{};
  }
};

// How many words lie on the stack above the return address, where the instructions tell: at the first and the last ones
// of a function, and in the stubs of a procedure linkage table. `pushed_frame_pointer`: the topmost is the caller's.
struct FrameEdge {
  unsigned words = 0;
  bool pushed_frame_pointer = false;
  bool in_link_register = false;  // AArch64: the return address is there, and nothing is on the stack

  bool operator==(const FrameEdge&) const = default;
};
std::optional<FrameEdge> frame_edge(const ArchitectureFacts& architecture, const CodeAround& code);

// Whether the instruction before the place is a call.
bool comes_after_call(const ArchitectureFacts& architecture, const CodeAround& code);
// Where that call goes; nothing where it depends on a register or on memory.
std::optional<std::uint64_t> called_address(const ArchitectureFacts& architecture, const CodeAround& code,
                                            std::uint64_t return_address);

// The instructions to which signal handlers return: a system call that restores what was interrupted.
bool restores_signal_frame(const ArchitectureFacts& architecture, const CodeAround& code);

}  // namespace perfsift::symbolize
