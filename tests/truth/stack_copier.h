// The log of stack_copier.cpp: samples with the registers and the stack of a thread, as perf record --call-graph dwarf
// has them. A program under qemu cannot be recorded by perf, so it copies its own stacks.
#pragma once

#include <cstdint>

namespace truth {

constexpr std::uint64_t copied = 0x5107c0b1edc0b1ed;
constexpr std::uint32_t most_copied = 16384;

// x0 to x30, sp and pc: enum perf_event_arm_regs in arch/arm64/include/uapi/asm/perf_regs.h. Then VG, whose number
// is 46.
constexpr unsigned plain_registers = 33;
constexpr std::uint64_t register_mask = ((std::uint64_t{1} << plain_registers) - 1) | std::uint64_t{1} << 46;

// Followed by most_copied bytes, of which the first `size` are from the stack.
struct CopiedStack {
  std::uint64_t magic = copied;  // written last
  std::uint32_t pid = 0;
  std::uint32_t tid = 0;
  std::uint64_t time = 0;  // in nanoseconds
  std::uint64_t registers[plain_registers + 1] = {};
  std::uint64_t size = 0;
};

}  // namespace truth
