#include "symbolize/unwind/architecture.h"

#include <array>

#include <elf.h>

namespace perfsift::symbolize {

namespace {

constexpr std::uint8_t no_number = 0xff;

// perf: ax bx cx dx si di bp sp ip flags cs ss ds es fs gs r8…r15. DWARF: the System V ABIs.
constexpr auto x86_64_from_perf = std::to_array<std::uint8_t>(
    {0,         3,         2,         1,         4, 5, 6,  7,  16, no_number, no_number, no_number,
     no_number, no_number, no_number, no_number, 8, 9, 10, 11, 12, 13,        14,        15});
constexpr auto i386_from_perf = std::to_array<std::uint8_t>({0, 3, 1, 2, 6, 7, 5, 4, 8});
// perf: x0…x29 lr sp pc, and 46 is VG, by which frames with scalable vectors (SVE) are measured. DWARF for the ARM
// 64-bit architecture: the same, but for the program counter.
constexpr std::uint8_t vector_granules = 46;
constexpr auto aarch64_from_perf = [] {
  std::array<std::uint8_t, max_registers> same{};
  same.fill(no_number);
  for (std::uint8_t i = 0; i <= 32; ++i) same[i] = i;
  same[vector_granules] = vector_granules;
  return same;
}();

constexpr ArchitectureFacts x86_64{
    .elf_machine = EM_X86_64,
    .word = 8,
    .registers = 17,
    .program_counter = 16,
    .stack_pointer = 7,
    .frame_pointer = 6,
    .link_register = std::nullopt,
    .address_mask = ~std::uint64_t{0},
    .from_perf = x86_64_from_perf,
};
constexpr ArchitectureFacts i386{
    .elf_machine = EM_386,
    .word = 4,
    .registers = 9,
    .program_counter = 8,
    .stack_pointer = 4,
    .frame_pointer = 5,
    .link_register = std::nullopt,
    .address_mask = 0xffffffff,
    .from_perf = i386_from_perf,
};
constexpr ArchitectureFacts aarch64{
    .elf_machine = EM_AARCH64,
    .word = 8,
    .registers = vector_granules + 1,
    .program_counter = 32,
    .stack_pointer = 31,
    .frame_pointer = 29,
    .link_register = 30,
    .address_mask = (std::uint64_t{1} << 48) - 1,
    .from_perf = aarch64_from_perf,
};

}  // namespace

const ArchitectureFacts& facts_of(Architecture architecture) {
  switch (architecture) {
    case Architecture::i386:
      return i386;
    case Architecture::aarch64:
      return aarch64;
    case Architecture::x86_64:
      break;
  }
  return x86_64;
}

std::optional<Architecture> architecture_of(std::string_view machine, std::uint64_t abi) {
  constexpr std::uint64_t abi_32 = 1, abi_64 = 2;
  if (machine == "x86_64" && abi == abi_64) return Architecture::x86_64;
  if (machine == "x86_64" && abi == abi_32) return Architecture::i386;
  if (machine == "aarch64" && abi == abi_64) return Architecture::aarch64;
  const bool i386_kernel = machine.size() == 4 && machine.starts_with('i') && machine.ends_with("86");
  if (i386_kernel && abi == abi_32) return Architecture::i386;
  return std::nullopt;
}

std::optional<Architecture> architecture_of_elf(std::uint16_t machine) {
  for (const auto architecture : {Architecture::x86_64, Architecture::i386, Architecture::aarch64})
    if (facts_of(architecture).elf_machine == machine) return architecture;
  return std::nullopt;
}

}  // namespace perfsift::symbolize
