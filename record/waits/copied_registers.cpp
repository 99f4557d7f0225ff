#include "record/waits/copied_registers.h"

#include <array>

namespace perfsift::record {
namespace {

constexpr std::uint64_t abi_32 = 1, abi_64 = 2;

#if defined(__x86_64__)
// The places of perf's registers (arch/x86/include/uapi/asm/perf_regs.h) in struct pt_regs
// (arch/x86/include/asm/ptrace.h): AX, BX, CX, DX, SI, DI, BP, SP, IP, FLAGS, CS, SS, R8 to R15.
constexpr std::array<std::uint8_t, 20> places{10, 5, 11, 12, 13, 14, 4, 19, 16, 18, 17, 20, 9, 8, 7, 6, 3, 2, 1, 0};
constexpr std::uint32_t stack_pointer = 19;
constexpr std::size_t code_segment = 10;  // in places
#endif

}  // namespace

#if defined(__x86_64__)
std::uint32_t kernel_registers() { return WAIT_REGISTERS_X86; }
std::uint32_t kernel_stack_pointer() { return stack_pointer; }

CopiedRegisters in_order_of_perf(std::span<const __u64, WAIT_REGISTERS_ARM64> kernel) {
  constexpr std::uint64_t segment_bits = 0xffff, user_segment = 0x33;  // user_64bit_mode()
  CopiedRegisters registers;
  for (const std::uint8_t place : places) registers.values.push_back(kernel[place]);
  registers.values[code_segment] &= segment_bits;
  registers.abi = registers.values[code_segment] == user_segment ? abi_64 : abi_32;
  return registers;
}
#elif defined(__aarch64__)
// struct user_pt_regs: X0 to X30, SP, PC, which is perf's order, and the state.
std::uint32_t kernel_registers() { return WAIT_REGISTERS_ARM64; }
std::uint32_t kernel_stack_pointer() { return 31; }

CopiedRegisters in_order_of_perf(std::span<const __u64, WAIT_REGISTERS_ARM64> kernel) {
  constexpr std::uint64_t is_32_bit = 0x10;  // PSR_MODE32_BIT
  return {.abi = (kernel[33] & is_32_bit) != 0 ? abi_32 : abi_64, .values = {kernel.begin(), kernel.begin() + 33}};
}
#else
std::uint32_t kernel_registers() { return 0; }
std::uint32_t kernel_stack_pointer() { return 0; }
CopiedRegisters in_order_of_perf(std::span<const __u64, WAIT_REGISTERS_ARM64>) { return {}; }
#endif

}  // namespace perfsift::record
