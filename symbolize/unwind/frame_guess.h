// The callers of code without CFI: what its instructions, or its frame pointer, tell.
#pragma once

#include <cstdint>

#include "symbolize/unwind/frame_registers.h"
#include "symbolize/unwind/stack_reader.h"

namespace perfsift::symbolize {

// All but the last function take the registers to the caller's, and say whether they could. Whether there is code at
// what they take for its program counter they do not know.

// At the very instruction where a function begins or ends, its return address lies on top of the stack: `code` is what
// comes at the program counter, `before` what comes a byte earlier. Nothing where the instructions tell nothing. Takes
// the registers to the caller's.
bool return_from_edge(const ArchitectureFacts& architecture, Bytes code, Bytes before, StackReader& stack,
                      FrameRegisters& registers);

// Nothing has happened since the call: it went to an address where there is no code, or to a page of the kernel's.
bool return_from_top(const ArchitectureFacts& architecture, StackReader& stack, FrameRegisters& registers);

// Signal handlers return to a few instructions that ask the kernel to restore what was interrupted. Where they have no
// CFI (Go, musl), the kernel's frame lies on top of the stack.
bool return_from_signal(Architecture architecture, Bytes code, StackReader& stack, FrameRegisters& registers);

// What a frame pointer points at: the caller's one, and the return address. Only where that is in the copied part of
// the stack, aligned, and leads upwards. Other registers are lost.
bool return_by_frame_pointer(const ArchitectureFacts& architecture, std::uint64_t lowest, StackReader& stack,
                             FrameRegisters& registers);

// Whether the first `size` bytes of `code` end with a call instruction.
bool ends_in_call(const ArchitectureFacts& architecture, Bytes code, std::size_t size);

}  // namespace perfsift::symbolize
