// Facts from a few instructions around a program counter, for code without CFI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/byte_reader.h"
#include "symbolize/unwind/architecture.h"

namespace perfsift::symbolize {

// The code around an address. Empty parts are unknown.
struct CodeAround {
  static constexpr std::size_t most_before = 8;  // no pattern looks further back
  Bytes bytes;                                   // to wherever the code ends
  std::size_t before = 0;                        // how many of them are in front of the place

  // The code from `distance` bytes before the address on; empty if there is none.
  Bytes from(std::size_t distance) const {
    return distance <= before && before - distance <= bytes.size() ? bytes.subspan(before - distance) : Bytes{};
  }
};

// The number of words on the stack above the return address, as far as the instructions show it: at the first and last
// instructions of a function, and in the stubs of a procedure linkage table. `pushed_frame_pointer`: the top word is
// the caller's frame pointer.
struct FrameEdge {
  unsigned words = 0;
  bool pushed_frame_pointer = false;
  bool in_link_register = false;  // AArch64: the return address is there, and `words` are left of the frame
  std::uint32_t lost = 0;         // AArch64: the registers that are still to be restored, a bit each

  bool operator==(const FrameEdge&) const = default;
};
std::optional<FrameEdge> frame_edge(const ArchitectureFacts& architecture, const CodeAround& code);

// The same at the last instructions of a function on AArch64, up to its return. Compilers may write no CFI for them, as
// Clang does, so that CFI looks for the return address where the frame was.
std::optional<FrameEdge> epilogue(const ArchitectureFacts& architecture, const CodeAround& code);

// Whether the instruction before the address is a call.
bool comes_after_call(const ArchitectureFacts& architecture, const CodeAround& code);
// The target of that call; nothing if it depends on a register or on memory.
std::optional<std::uint64_t> called_address(const ArchitectureFacts& architecture, const CodeAround& code,
                                            std::uint64_t return_address);

// Whether the code is the one that signal handlers return to: a system call that restores the interrupted registers.
bool restores_signal_frame(const ArchitectureFacts& architecture, const CodeAround& code);

}  // namespace perfsift::symbolize
