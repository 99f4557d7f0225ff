// The processors whose stacks can be unwound, and their two numberings of registers: perf's and DWARF's.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace perfsift::symbolize {

enum class Architecture : std::uint8_t { x86_64, i386, aarch64 };

// Registers are kept by their DWARF numbers; the program counter has a number that DWARF does not use.
constexpr unsigned max_registers = 47;

struct ArchitectureFacts {
  std::uint16_t elf_machine;  // EM_…
  std::uint8_t word;          // bytes of a register on the stack
  std::uint8_t registers;     // above the number of each that is kept, the program counter included
  std::uint8_t program_counter;
  std::uint8_t stack_pointer;
  std::uint8_t frame_pointer;
  std::optional<std::uint8_t> link_register;  // where a call leaves its return address; nothing: on the stack
  // The bits of an address of code: the other bits are tags and authentication codes. User addresses above 2^48 exist
  // only if a program asks for them by a hint to mmap().
  std::uint64_t address_mask;
  // DWARF number of each of perf's registers (arch/*/include/uapi/asm/perf_regs.h); 0xff: the register is not kept.
  std::span<const std::uint8_t> from_perf;
};

const ArchitectureFacts& facts_of(Architecture architecture);

// `machine`: as uname() names it ("x86_64"); `abi`: PERF_SAMPLE_REGS_ABI_32 or _64. Nothing for unknown ones.
std::optional<Architecture> architecture_of(std::string_view machine, std::uint64_t abi);
// The architecture by e_machine of an ELF file.
std::optional<Architecture> architecture_of_elf(std::uint16_t machine);

}  // namespace perfsift::symbolize
