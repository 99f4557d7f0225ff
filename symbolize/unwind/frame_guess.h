// Steps to the caller where there is no CFI.
//
// All of them take the registers to the caller's, and say whether they could. Whether there is code at what they take
// for its program counter they do not know.
#pragma once

#include <cstdint>

#include "symbolize/unwind/code_patterns.h"
#include "symbolize/unwind/frame_registers.h"
#include "symbolize/unwind/stack_reader.h"

namespace perfsift::symbolize {

// The return address is where the last call put it, but for what `edge` says.
bool return_from_edge(const ArchitectureFacts& architecture, const FrameEdge& edge, StackReader& stack,
                      FrameRegisters& registers);

// The same where nothing has happened since the call.
bool return_from_top(const ArchitectureFacts& architecture, StackReader& stack, FrameRegisters& registers);

// From the instructions of restores_signal_frame(): the kernel's frame lies on top of the stack.
bool return_from_signal(const ArchitectureFacts& architecture, StackReader& stack, FrameRegisters& registers);

// What a frame pointer points at: the caller's one, and the return address. Only where that is aligned, and not below
// `lowest` or far above it. Other registers are lost.
bool return_by_frame_pointer(const ArchitectureFacts& architecture, std::uint64_t lowest, StackReader& stack,
                             FrameRegisters& registers);

}  // namespace perfsift::symbolize
