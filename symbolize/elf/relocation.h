// The debug sections of relocatable files (.o, .ko) have zeros in the place of addresses and of offsets in other debug
// sections; relocations give the values. A linker would fill the values in; here they are filled in a copy of the
// section. Relocations of code say what it calls and reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "symbolize/elf/elf_file.h"

namespace perfsift::symbolize {

// An address that no code can have, for symbols in no section of code. (The largest address has a meaning in
// .debug_ranges.)
constexpr std::uint64_t nowhere = ~std::uint64_t{1};

// Whether relocations of the file's machine are known. Without them its debug sections are useless.
bool can_relocate(const ElfFile& file);
// Whether the section has relocations.
bool has_relocations(const ElfFile& file, const ElfFile::Section& section);
// Fills the values in. `contents`: the section, unpacked. Relocations outside of the section are passed over.
void relocate(const ElfFile& file, const ElfFile::Section& section, std::span<std::byte> contents);

// What code of a relocatable file refers to. The linker, or the kernel's loader, would fill the address in.
struct Reference {
  std::uint64_t offset = 0;  // of the place in the section
  std::string_view symbol;   // lives as long as the file; of a section, the section's name
  std::uint64_t addend = 0;  // may be negative, as a large number
  bool relative = false;     // x86-64: the addend counts from the place; instructions count from their end
};
// The references of a section, by their places.
std::vector<Reference> references_of(const ElfFile& file, const ElfFile::Section& section);

}  // namespace perfsift::symbolize
