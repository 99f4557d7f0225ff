// Names for the stubs through which a file calls other files: "memcpy@plt".
#pragma once

#include "symbolize/elf/elf_file.h"
#include "symbolize/symbols/elf_symbols.h"
#include "symbolize/symbols/symbol_table.h"

namespace perfsift::symbolize {

// Adds a symbol for every entry of .plt, .plt.sec and .plt.got of an x86-64 or AArch64 file. Each entry jumps to where
// a slot of the global offset table points; which function that will be, the relocation of the slot tells. (perf 6.1
// counts entries of .plt instead and does not know the other two.) `place` as for the file's own symbols, which must
// have been added already: an entry for an indirect function takes the name of that function.
void add_plt(const ElfFile& runtime, const Placement& place, SymbolTable& to);

}  // namespace perfsift::symbolize
