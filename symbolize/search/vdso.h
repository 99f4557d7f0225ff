// The code that the kernel maps into every process.
#pragma once

#include <memory>

#include "symbolize/elf/elf_file.h"
#include "symbolize/search/symbolize_options.h"

namespace perfsift::symbolize {

// The image of this process; nullptr if it has none. It is also the recording's image if the build ids agree.
std::shared_ptr<ElfFile> running_vdso();

// The image of `binary`: the running one, or one of perf's build-id cache, by build id. Without a recorded id only the
// running one, and only if the recording is of this kernel. If there is none, nullptr, and `why` has the reason.
std::shared_ptr<ElfFile> find_vdso(const Binary& binary, const SymbolizeOptions& options, Missing& why);

}  // namespace perfsift::symbolize
