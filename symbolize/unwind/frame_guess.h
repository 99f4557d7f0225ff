// Steps to the caller without CFI.
//
// Each function replaces the registers by the caller's, and returns whether it could. The functions do not check that
// the caller's program counter points to code.
#pragma once

#include <cstdint>

#include "symbolize/unwind/code_patterns.h"
#include "symbolize/unwind/frame_registers.h"
#include "symbolize/unwind/stack_reader.h"

namespace perfsift::symbolize {

// The return address is where the last call put it, below the words that `edge` counts.
bool return_from_edge(const ArchitectureFacts& architecture, const FrameEdge& edge, StackReader& stack,
                      FrameRegisters& registers);

// The return address is on top of the stack at the first instruction of a function.
bool return_from_top(const ArchitectureFacts& architecture, StackReader& stack, FrameRegisters& registers);

// At the instructions of restores_signal_frame() the kernel's frame lies on top of the stack.
bool return_from_signal(const ArchitectureFacts& architecture, StackReader& stack, FrameRegisters& registers);

// The frame pointer points at the caller's frame pointer and the return address. Only an aligned frame pointer counts
// that is not below `lowest` or far above it. Other registers are lost.
bool return_by_frame_pointer(const ArchitectureFacts& architecture, std::uint64_t lowest, StackReader& stack,
                             FrameRegisters& registers);

}  // namespace perfsift::symbolize
