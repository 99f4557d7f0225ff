#include "symbolize/unwind/frame_guess.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <span>

#include <elf.h>

namespace perfsift::symbolize {

namespace {

bool starts_with(Bytes code, std::initializer_list<unsigned> expected) {
  if (code.size() < expected.size()) return false;
  return std::equal(expected.begin(), expected.end(), code.begin(),
                    [](unsigned a, std::byte b) { return a == std::to_integer<unsigned>(b); });
}

bool is_x86(const ArchitectureFacts& architecture) { return architecture.elf_machine != EM_AARCH64; }

constexpr unsigned push_frame_pointer = 0x55;

// push %rbp, perhaps after endbr64 or endbr32.
bool begins(Bytes code) {
  if (starts_with(code, {0xf3, 0x0f, 0x1e, 0xfa}) || starts_with(code, {0xf3, 0x0f, 0x1e, 0xfb}))
    code = code.subspan(4);
  return starts_with(code, {push_frame_pointer});
}

bool is_return(Bytes code) {
  return starts_with(code, {0xc3}) || starts_with(code, {0xc2}) || starts_with(code, {0xf3, 0xc3});
}

// mov %rsp,%rbp and its other encoding; without the first byte mov %esp,%ebp.
bool sets_frame_pointer(const ArchitectureFacts& architecture, Bytes code) {
  if (architecture.word == 4) return starts_with(code, {0x89, 0xe5}) || starts_with(code, {0x8b, 0xec});
  return starts_with(code, {0x48, 0x89, 0xe5}) || starts_with(code, {0x48, 0x8b, 0xec});
}

// Takes the return address from `depth` words above the stack pointer.
bool pop_return(const ArchitectureFacts& architecture, unsigned depth, StackReader& stack, FrameRegisters& registers) {
  if (!registers.known(architecture.stack_pointer)) return false;
  const std::uint64_t at = registers[architecture.stack_pointer] + std::uint64_t{depth} * architecture.word;
  const auto address = stack.word(at);
  if (!address) return false;
  registers.set(architecture.program_counter, *address);
  registers.set(architecture.stack_pointer, at + architecture.word);
  return true;
}

// Where the kernel's signal frame has the registers, from the stack pointer at the return of the handler: struct
// rt_sigframe and sigcontext of arch/*/include/uapi/asm/.
struct SavedRegister {
  std::uint8_t number;
  std::uint16_t offset;
};
constexpr std::uint16_t x86_64_context = 40;  // uc_mcontext in struct ucontext
constexpr auto x86_64_frame = std::to_array<SavedRegister>({
    {8, x86_64_context + 0},
    {9, x86_64_context + 8},
    {10, x86_64_context + 16},
    {11, x86_64_context + 24},
    {12, x86_64_context + 32},
    {13, x86_64_context + 40},
    {14, x86_64_context + 48},
    {15, x86_64_context + 56},
    {5, x86_64_context + 64},
    {4, x86_64_context + 72},
    {6, x86_64_context + 80},
    {3, x86_64_context + 88},
    {1, x86_64_context + 96},
    {0, x86_64_context + 104},
    {2, x86_64_context + 112},
    {7, x86_64_context + 120},
    {16, x86_64_context + 128},
});
constexpr auto aarch64_frame = [] {
  // siginfo_t, then uc_mcontext at 176 in struct ucontext, and its regs[] after fault_address.
  constexpr unsigned first = 128 + 176 + 8;
  std::array<SavedRegister, 33> all{};
  for (unsigned i = 0; i < all.size(); ++i)
    all[i] = {.number = static_cast<std::uint8_t>(i), .offset = static_cast<std::uint16_t>(first + 8 * i)};
  return all;
}();

std::span<const SavedRegister> signal_frame(Architecture architecture, Bytes code) {
  // mov $__NR_rt_sigreturn,%rax (or %eax); syscall
  const bool x86_64 = starts_with(code, {0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05}) ||
                      starts_with(code, {0xb8, 0x0f, 0, 0, 0, 0x0f, 0x05});
  if (architecture == Architecture::x86_64 && x86_64) return x86_64_frame;
  // mov x8, #__NR_rt_sigreturn; svc #0
  const bool aarch64 = starts_with(code, {0x68, 0x11, 0x80, 0xd2, 0x01, 0, 0, 0xd4});
  if (architecture == Architecture::aarch64 && aarch64) return aarch64_frame;
  return {};
}

}  // namespace

bool return_from_edge(const ArchitectureFacts& architecture, Bytes code, Bytes before, StackReader& stack,
                      FrameRegisters& registers) {
  if (!is_x86(architecture)) return false;
  if (begins(code) || is_return(code)) return pop_return(architecture, 0, stack, registers);
  if (!starts_with(before, {push_frame_pointer}) || !sets_frame_pointer(architecture, code)) return false;
  const auto pushed = stack.word(registers[architecture.stack_pointer]);
  if (!pushed || !pop_return(architecture, 1, stack, registers)) return false;
  registers.set(architecture.frame_pointer, *pushed);
  return true;
}

bool return_from_top(const ArchitectureFacts& architecture, StackReader& stack, FrameRegisters& registers) {
  if (is_x86(architecture)) return pop_return(architecture, 0, stack, registers);
  constexpr unsigned link_register = 30;
  if (!registers.known(link_register)) return false;
  registers.set(architecture.program_counter, registers[link_register] & architecture.address_mask);
  return true;
}

bool return_from_signal(Architecture architecture, Bytes code, StackReader& stack, FrameRegisters& registers) {
  const auto saved = signal_frame(architecture, code);
  const unsigned stack_pointer = facts_of(architecture).stack_pointer;
  if (saved.empty() || !registers.known(stack_pointer)) return false;
  const std::uint64_t base = registers[stack_pointer];
  FrameRegisters interrupted;
  for (const SavedRegister& r : saved) {
    const auto value = stack.word(base + r.offset);
    if (!value) return false;
    interrupted.set(r.number, *value);
  }
  registers = interrupted;
  return true;
}

bool return_by_frame_pointer(const ArchitectureFacts& architecture, std::uint64_t lowest, StackReader& stack,
                             FrameRegisters& registers) {
  const std::uint64_t at = registers[architecture.frame_pointer];
  const bool plausible = registers.known(architecture.frame_pointer) && at >= lowest && at % architecture.word == 0;
  if (!plausible || !stack.holds(at)) return false;
  const auto callers = stack.word(at);
  const auto address = stack.word(at + architecture.word);
  if (!callers || !address) return false;

  registers.forget_all();
  registers.set(architecture.frame_pointer, *callers);
  registers.set(architecture.program_counter, *address & architecture.address_mask);
  // A frame of AArch64 has its two words at the bottom: where it ends nobody knows.
  if (is_x86(architecture)) registers.set(architecture.stack_pointer, at + 2u * architecture.word);
  return true;
}

bool ends_in_call(const ArchitectureFacts& architecture, Bytes code, std::size_t size) {
  if (code.size() < size || size < 8) return false;
  const auto byte = [&](std::size_t from_end) { return std::to_integer<unsigned>(code[size - from_end]); };
  if (!is_x86(architecture)) {
    const unsigned high = byte(1), next = byte(2);
    return (high & 0xfc) == 0x94 || ((high & 0xfe) == 0xd6 && (next & 0xe0) == 0x20);  // bl; blr, blraa, …
  }
  if (byte(5) == 0xe8) return true;  // call rel32
  // ff /2: the form of the operand is in the next byte, which says how long the instruction is: 2 to 7 bytes.
  for (std::size_t length = 2; length <= 7; ++length)
    if (byte(length) == 0xff && (byte(length - 1) & 0x38) == 0x10) return true;
  return false;
}

}  // namespace perfsift::symbolize
