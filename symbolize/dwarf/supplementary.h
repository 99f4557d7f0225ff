// The supplementary file: dwz moves entries that several debug files share into a file of their own.
#pragma once

#include <memory>

#include "symbolize/elf/elf_file.h"
#include "symbolize/search/symbolize_options.h"

namespace perfsift::symbolize::dwarf {

// The file that .gnu_debugaltlink (or DWARF 5's .debug_sup) of `file` names. Looks at the named path, and in the
// debug folders, by build id and by name. nullptr if no file is named, or no file of the right build is found.
std::shared_ptr<ElfFile> find_supplementary(const ElfFile& file, const SymbolizeOptions& options);

}  // namespace perfsift::symbolize::dwarf
