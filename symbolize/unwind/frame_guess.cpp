#include "symbolize/unwind/frame_guess.h"

#include <array>
#include <span>

namespace perfsift::symbolize {

namespace {

// The offset of the registers in the kernel's signal frame, from the stack pointer at the return of the handler: struct
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

}  // namespace

bool return_from_edge(const ArchitectureFacts& architecture, const FrameEdge& edge, StackReader& stack,
                      FrameRegisters& registers) {
  const auto top = registers.get(architecture.stack_pointer);
  if (!top) return false;
  const std::uint64_t at = *top + std::uint64_t{edge.words} * architecture.word;
  if (edge.in_link_register) {
    registers.set(architecture.stack_pointer, at);
    for (unsigned number = 0; number < 32; ++number)
      if ((edge.lost >> number & 1) != 0) registers.forget(number);
    return return_from_top(architecture, stack, registers);
  }
  const auto address = stack.word(at);
  const auto pushed = edge.pushed_frame_pointer ? stack.word(*top) : registers.get(architecture.frame_pointer);
  if (!address) return false;
  if (pushed) registers.set(architecture.frame_pointer, *pushed);
  registers.set(architecture.program_counter, *address);
  registers.set(architecture.stack_pointer, at + architecture.word);
  return true;
}

bool return_from_top(const ArchitectureFacts& architecture, StackReader& stack, FrameRegisters& registers) {
  if (!architecture.link_register) return return_from_edge(architecture, {}, stack, registers);
  const auto address = registers.get(*architecture.link_register);
  if (address) registers.set(architecture.program_counter, *address & architecture.address_mask);
  return address.has_value();
}

bool return_from_signal(const ArchitectureFacts& architecture, StackReader& stack, FrameRegisters& registers) {
  const auto base = registers.get(architecture.stack_pointer);
  if (!base) return false;
  const std::span<const SavedRegister> saved =
      architecture.link_register ? std::span<const SavedRegister>(aarch64_frame) : x86_64_frame;
  FrameRegisters interrupted;
  for (const SavedRegister& r : saved) {
    const auto value = stack.word(*base + r.offset);
    if (!value) return false;
    interrupted.set(r.number, *value);
  }
  registers = interrupted;
  return true;
}

bool return_by_frame_pointer(const ArchitectureFacts& architecture, std::uint64_t lowest, StackReader& stack,
                             FrameRegisters& registers) {
  const std::uint64_t at = registers[architecture.frame_pointer];
  constexpr std::uint64_t largest_frame = std::uint64_t{8} << 20;  // the usual limit of a whole stack
  const bool known = registers.known(architecture.frame_pointer);
  if (!known || at < lowest || at - lowest >= largest_frame || at % architecture.word != 0) return false;
  const auto callers = stack.word(at);
  const auto address = stack.word(at + architecture.word);
  if (!callers || !address) return false;

  registers.forget_all();
  registers.set(architecture.frame_pointer, *callers);
  registers.set(architecture.program_counter, *address & architecture.address_mask);
  // A frame of AArch64 has its two words at the bottom: the end of the frame is unknown.
  if (!architecture.link_register) registers.set(architecture.stack_pointer, at + 2u * architecture.word);
  return true;
}

}  // namespace perfsift::symbolize
