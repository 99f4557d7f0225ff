// The code that the kernel maps into every process.
#pragma once

#include <memory>

#include "symbolize/elf/elf_file.h"
#include "symbolize/search/symbolize_options.h"

namespace perfsift::symbolize {

// The image of this process; nullptr when it has none. It is the recording's when the build ids agree.
std::shared_ptr<ElfFile> running_vdso();

// The image that `binary` means: the running one or that of perf's build-id cache, by build id. Without a recorded id
// only the running one, and only when the recording is of this kernel. nullptr, and `why`, when there is none.
std::shared_ptr<ElfFile> find_vdso(const Binary& binary, const SymbolizeOptions& options, Missing& why);

}  // namespace perfsift::symbolize
