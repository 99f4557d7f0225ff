// The debug sections of relocatable files (.o, .ko) say 0 where an address, or a place in another debug section, is to
// stand: relocations tell what. A linker would fill them in; here it is done in a copy of the section.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "symbolize/elf/elf_file.h"

namespace perfsift::symbolize {

// An address where no code can be: of what is in no section of code. (The largest of all has a meaning in
// .debug_ranges.)
constexpr std::uint64_t nowhere = ~std::uint64_t{1};

// Whether relocations of the file's machine are known. Without them its debug sections say nothing.
bool can_relocate(const ElfFile& file);
// Whether any relocation is told for the section.
bool has_relocations(const ElfFile& file, const ElfFile::Section& section);
// Fills them in. `contents`: those of the section, unpacked. What does not fit them is passed over.
void relocate(const ElfFile& file, const ElfFile::Section& section, std::span<std::byte> contents);

}  // namespace perfsift::symbolize
