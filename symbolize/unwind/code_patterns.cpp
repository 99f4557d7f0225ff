#include "symbolize/unwind/code_patterns.h"

#include <elf.h>

namespace perfsift::symbolize {

namespace {

namespace x86 {

constexpr unsigned push_frame_pointer = 0x55;

Bytes without_landing_pad(Bytes code) {  // endbr64, endbr32
  const bool pad = starts_with(code, {0xf3, 0x0f, 0x1e, 0xfa}) || starts_with(code, {0xf3, 0x0f, 0x1e, 0xfb});
  return pad ? code.subspan(4) : code;
}

bool returns(Bytes code) {
  return starts_with(code, {0xc3}) || starts_with(code, {0xc2}) || starts_with(code, {0xf3, 0xc3});
}

bool jumps_through_memory(Bytes code) {
  return starts_with(code, {0xff, 0x25}) || starts_with(code, {0xf2, 0xff, 0x25});
}

// mov %rsp,%rbp and its other encoding; without the first byte mov %esp,%ebp.
bool sets_frame_pointer(const ArchitectureFacts& architecture, Bytes code) {
  if (architecture.word == 4) return starts_with(code, {0x89, 0xe5}) || starts_with(code, {0x8b, 0xec});
  return starts_with(code, {0x48, 0x89, 0xe5}) || starts_with(code, {0x48, 0x8b, 0xec});
}

bool pushes_number(Bytes code) { return starts_with(code, {0x68}); }             // 5 bytes
bool pushes_from_memory(Bytes code) { return starts_with(code, {0xff, 0x35}); }  // 6 bytes

// The entries of a PLT are "jmp *slot; push $n; jmp first", or parts of it; the first is "push slot; jmp *slot".
std::optional<FrameEdge> frame_edge(const ArchitectureFacts& architecture, const CodeAround& code) {
  const Bytes here = without_landing_pad(code.from(0));
  if (starts_with(here, {push_frame_pointer}) || returns(here)) return FrameEdge{};
  if (starts_with(code.from(1), {push_frame_pointer}) && sets_frame_pointer(architecture, here))
    return FrameEdge{.words = 1, .pushed_frame_pointer = true};
  if (jumps_through_memory(here)) return FrameEdge{.words = pushes_from_memory(code.from(6)) ? 2u : 0u};
  if (pushes_from_memory(here)) return FrameEdge{.words = 1};
  if (pushes_number(here)) return FrameEdge{};
  if (pushes_number(code.from(5))) return FrameEdge{.words = 1};
  return std::nullopt;
}

// The length of a call through a register or memory, by its second and third byte: Intel's tables 2-2 and 2-3.
std::size_t length_of_indirect_call(unsigned form, unsigned scaled) {
  const unsigned mode = form >> 6, operand = form & 7;
  const std::size_t index = mode != 3 && operand == 4 ? 1 : 0;
  const bool no_base = mode == 0 && (operand == 5 || (index == 1 && (scaled & 7) == 5));
  const std::size_t displacement = mode == 2 || no_base ? 4 : mode == 1 ? 1 : 0;
  return 2 + index + displacement;
}

bool comes_after_indirect_call(const CodeAround& code) {
  for (std::size_t length = 2; length <= 7; ++length) {
    const Bytes call = code.from(length);
    if (!starts_with(call, {0xff}) || call.size() < 3) continue;
    const auto form = std::to_integer<unsigned>(call[1]);
    const bool is_call = (form & 0x38) == 0x10;
    if (is_call && length_of_indirect_call(form, std::to_integer<unsigned>(call[2])) == length) return true;
  }
  return false;
}

bool comes_after_direct_call(const CodeAround& code) { return starts_with(code.from(5), {0xe8}); }

// mov $__NR_rt_sigreturn,%rax (or %eax); syscall
bool restores_signal_frame(Bytes code) {
  return starts_with(code, {0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05}) ||
         starts_with(code, {0xb8, 0x0f, 0, 0, 0, 0x0f, 0x05});
}

}  // namespace x86

namespace arm {

std::uint32_t instruction(Bytes code) { return ByteReader(code).u32(); }

bool is_direct_call(std::uint32_t i) { return (i & 0xfc000000) == 0x94000000; }    // bl
bool is_indirect_call(std::uint32_t i) { return (i & 0xfe7ff000) == 0xd63f0000; }  // blr, and blraa and its like

// ret; or "adrp x16; ldr x17; add x16; br x17", the entries of a PLT.
std::optional<FrameEdge> frame_edge(const CodeAround& code) {
  constexpr std::uint32_t ret = 0xd65f03c0, br_x17 = 0xd61f0220;
  constexpr std::size_t entry = 4;
  Bytes rest = code.from(0);
  if (instruction(rest) == ret) return FrameEdge{.in_link_register = true};
  for (std::size_t i = 0; i < entry && rest.size() >= 4; ++i, rest = rest.subspan(4))
    if (instruction(rest) == br_x17) return FrameEdge{.in_link_register = true};
  return std::nullopt;
}

// mov x8, #__NR_rt_sigreturn; svc #0
bool restores_signal_frame(Bytes code) { return starts_with(code, {0x68, 0x11, 0x80, 0xd2, 0x01, 0, 0, 0xd4}); }

}  // namespace arm

bool is_aarch64(const ArchitectureFacts& architecture) { return architecture.elf_machine == EM_AARCH64; }

}  // namespace

std::optional<FrameEdge> frame_edge(const ArchitectureFacts& architecture, const CodeAround& code) {
  return is_aarch64(architecture) ? arm::frame_edge(code) : x86::frame_edge(architecture, code);
}

bool comes_after_call(const ArchitectureFacts& architecture, const CodeAround& code) {
  if (!is_aarch64(architecture)) return x86::comes_after_direct_call(code) || x86::comes_after_indirect_call(code);
  const std::uint32_t before = arm::instruction(code.from(4));
  return arm::is_direct_call(before) || arm::is_indirect_call(before);
}

std::optional<std::uint64_t> called_address(const ArchitectureFacts& architecture, const CodeAround& code,
                                            std::uint64_t return_address) {
  const auto distance = static_cast<std::int32_t>(arm::instruction(code.from(4)));
  const auto after = [&](std::int64_t bytes) { return return_address + static_cast<std::uint64_t>(bytes); };
  if (!is_aarch64(architecture))
    return x86::comes_after_direct_call(code) ? std::optional(after(distance)) : std::nullopt;
  // 26 bits, in instructions, from the call itself.
  if (!arm::is_direct_call(static_cast<std::uint32_t>(distance))) return std::nullopt;
  return after((std::int64_t{distance} << 38 >> 36) - 4);
}

bool restores_signal_frame(const ArchitectureFacts& architecture, const CodeAround& code) {
  if (is_aarch64(architecture)) return arm::restores_signal_frame(code.from(0));
  return architecture.word == 8 && x86::restores_signal_frame(code.from(0));
}

}  // namespace perfsift::symbolize
