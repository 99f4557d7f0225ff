// Names for the stubs through which a file calls other files: "memcpy@plt".
#pragma once

#include "symbolize/elf/elf_file.h"
#include "symbolize/symbols/elf_symbols.h"
#include "symbolize/symbols/symbol_table.h"

namespace perfsift::symbolize {

// Adds a symbol for every entry of .plt, .plt.sec and .plt.got of an x86-64 or AArch64 file. Each entry jumps to the
// address in a slot of the global offset table, and the relocation of the slot names the function. (perf 6.1 counts
// entries of .plt instead, and does not know the other two sections.) `place` as for the file's own symbols, which must
// have been added already: an entry for an indirect function takes the name of that function.
void add_plt(const ElfFile& runtime, const Placement& place, SymbolTable& to);

}  // namespace perfsift::symbolize
