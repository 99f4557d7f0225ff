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

constexpr std::uint32_t ret = 0xd65f03c0;

// ret; or "bti c; adrp x16; ldr x17; add x16; br x17", the entries of a PLT, of which the first also stores two
// registers.
std::optional<FrameEdge> frame_edge(const CodeAround& code) {
  constexpr std::uint32_t br_x17 = 0xd61f0220;
  constexpr std::size_t entry = 6;
  Bytes rest = code.from(0);
  if (instruction(rest) == ret) return FrameEdge{.in_link_register = true};
  for (std::size_t i = 0; i < entry && rest.size() >= 4; ++i, rest = rest.subspan(4))
    if (instruction(rest) == br_x17) return FrameEdge{.in_link_register = true};
  return std::nullopt;
}

// What an instruction of an epilogue does; the numbers are those of the Arm Architecture Reference Manual, chapter C4.
struct EpilogueStep {
  std::int64_t bytes = 0;      // added to the stack pointer
  std::uint32_t restored = 0;  // registers, a bit each
};

// ldp and ldr of general and of vector registers, from the stack.
std::optional<EpilogueStep> restoring_step(std::uint32_t i) {
  constexpr std::uint32_t stack_pointer = 31;
  if ((i >> 5 & 31) != stack_pointer) return std::nullopt;
  const std::uint32_t first = std::uint32_t{1} << (i & 31), second = std::uint32_t{1} << (i >> 10 & 31);
  const std::int64_t pair_offset = std::int64_t{static_cast<std::int32_t>(i << 10) >> 25} * 8;
  const std::int64_t offset = static_cast<std::int32_t>(i << 11) >> 23;
  switch (i & 0xffc00000) {
    case 0xa9400000:
      return EpilogueStep{.restored = first | second};
    case 0xa8c00000:
      return EpilogueStep{.bytes = pair_offset, .restored = first | second};
    case 0x6d400000:
    case 0xfd400000:
      return EpilogueStep{};
    case 0x6cc00000:
      return EpilogueStep{.bytes = pair_offset};
    case 0xf9400000:
      return EpilogueStep{.restored = first};
    default:
      break;
  }
  if ((i & 0xffe00c00) == 0xf8400400) return EpilogueStep{.bytes = offset, .restored = first};
  if ((i & 0xffe00c00) == 0xfc400400) return EpilogueStep{.bytes = offset};
  return std::nullopt;
}

std::optional<EpilogueStep> epilogue_step(std::uint32_t i) {
  constexpr std::uint32_t autiasp = 0xd50323bf, autibsp = 0xd50323ff;
  if (i == autiasp || i == autibsp) return EpilogueStep{};
  if ((i & 0xff8003ff) == 0x910003ff) {  // add sp, sp, #n
    const std::int64_t number = i >> 10 & 0xfff;
    return EpilogueStep{.bytes = (i >> 22 & 1) != 0 ? number << 12 : number};
  }
  return restoring_step(i);
}

// Up to a return, or to a jump to another function behind the end of the frame.
std::optional<FrameEdge> epilogue(const CodeAround& code) {
  constexpr std::size_t longest = 16;  // ten registers are saved in pairs, and eight vectors
  constexpr std::uint32_t retaa = 0xd65f0bff, retab = 0xd65f0fff, frame_record = std::uint32_t{3} << 29;
  std::int64_t bytes = 0;
  FrameEdge edge{.in_link_register = true};
  Bytes rest = code.from(0);
  for (std::size_t count = 0; count < longest && rest.size() >= 4; ++count, rest = rest.subspan(4)) {
    const std::uint32_t i = instruction(rest);
    const bool jumps = bytes != 0 && (i & 0xfc000000) == 0x14000000;  // b
    if (i == ret || i == retaa || i == retab || jumps) {
      edge.words = static_cast<unsigned>(bytes / 8);
      return edge;
    }
    const auto step = epilogue_step(i);
    if (!step || step->bytes < 0 || (step->restored & frame_record) != 0) return std::nullopt;  // CFI holds until then
    bytes += step->bytes;
    edge.lost |= step->restored;
  }
  return std::nullopt;
}

// mov x8, #__NR_rt_sigreturn; svc #0. A thread may be interrupted between them.
bool restores_signal_frame(const CodeAround& code) {
  const auto starts = [](Bytes bytes) { return starts_with(bytes, {0x68, 0x11, 0x80, 0xd2, 0x01, 0, 0, 0xd4}); };
  return starts(code.from(0)) || starts(code.from(4));
}

}  // namespace arm

bool is_aarch64(const ArchitectureFacts& architecture) { return architecture.elf_machine == EM_AARCH64; }

}  // namespace

std::optional<FrameEdge> frame_edge(const ArchitectureFacts& architecture, const CodeAround& code) {
  return is_aarch64(architecture) ? arm::frame_edge(code) : x86::frame_edge(architecture, code);
}

std::optional<FrameEdge> epilogue(const ArchitectureFacts& architecture, const CodeAround& code) {
  return is_aarch64(architecture) ? arm::epilogue(code) : std::nullopt;
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
  if (is_aarch64(architecture)) return arm::restores_signal_frame(code);
  return architecture.word == 8 && x86::restores_signal_frame(code.from(0));
}

}  // namespace perfsift::symbolize
