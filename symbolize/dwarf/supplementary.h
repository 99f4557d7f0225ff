// The supplementary file: what dwz found in several debug files and put into one of its own.
#pragma once

#include <memory>

#include "symbolize/elf/elf_file.h"
#include "symbolize/search/symbolize_options.h"

namespace perfsift::symbolize::dwarf {

// The file that .gnu_debugaltlink (or DWARF 5's .debug_sup) of `file` names. Looks at the path it names, and in the
// debug folders, by build id and by name. nullptr where none is named, or none of the same build is there.
std::shared_ptr<ElfFile> find_supplementary(const ElfFile& file, const SymbolizeOptions& options);

}  // namespace perfsift::symbolize::dwarf
