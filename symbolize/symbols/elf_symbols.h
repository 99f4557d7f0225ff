// The symbol tables of an ELF file.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "symbolize/elf/elf_file.h"
#include "symbolize/symbols/symbol_table.h"

namespace perfsift::symbolize {

// Converts an address and its section to CodeAddress::offset; nothing if the address has none.
using Placement = std::function<std::optional<std::uint64_t>(std::uint64_t address, const ElfFile::Section& section)>;

// The placement for programs and libraries: offsets in the file. `runtime`: the mapped file, as segments and sections
// of a .debug file may have other offsets.
Placement place_in_file(const ElfFile& runtime);

// Adds the symbols of .symtab (or .dynsym): functions, objects, and labels in text and data sections, as perf's
// dso__load_sym_internal() chooses. Names point into `file`, which the table does not keep alive.
void add_symtab(const ElfFile& file, const Placement& place, SymbolTable& to);
void add_dynsym(const ElfFile& file, const Placement& place, SymbolTable& to);

// The symbol table that Fedora and others leave in otherwise stripped files (.gnu_debugdata: an ELF file, xz-packed);
// nullptr if there is none.
std::shared_ptr<ElfFile> mini_debuginfo(const ElfFile& file);

}  // namespace perfsift::symbolize
