// How a binary was compiled, by DW_AT_producer in its debug information.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "symbolize/elf/elf_file.h"
#include "symbolize/search/symbolize_options.h"

namespace perfsift::symbolize::dwarf {

// The compiler and its version, then the options that change the code, in alphabetical order: "GNU 12.2.0 -O2
// -march=x86-64". For a file, what most of its units were compiled with; empty if unknown. Split units
// (.dwo) are not read. No other code may use `file` at the same time.
std::string compiled_with(const std::shared_ptr<ElfFile>& file, const SymbolizeOptions& options);

// Compiler and options of one value of DW_AT_producer. Empty for assemblers, whose options change no code.
std::string compiler_and_options(std::string_view producer);

}  // namespace perfsift::symbolize::dwarf
