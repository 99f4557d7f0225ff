// Finds the ELF file of a kernel.
#pragma once

#include <memory>

#include "base/binary.h"
#include "symbolize/elf/elf_file.h"
#include "symbolize/files/missing.h"
#include "symbolize/search/symbolize_options.h"

namespace perfsift::symbolize {

// The files of exactly one build. Their names may have any release:
//   perf's build-id cache and DEBUG_DIR/.build-id, by build id; what was fetched for it
//   /boot/vmlinux*, DEBUG_DIR/boot/vmlinux*, /lib/modules/*/build/vmlinux, DEBUG_DIR/lib/modules/*/vmlinux
// Paths and debug folders are below options.symfs.
struct FoundVmlinux {
  std::shared_ptr<ElfFile> symbols;     // the first file that has a symbol table; nullptr: none
  std::shared_ptr<ElfFile> debug_info;  // the first file that has .debug_info; may be the same
};
// Without a build id nothing is found.
FoundVmlinux find_vmlinux(const BuildId& id, const SymbolizeOptions& options);

// Why no file of this machine can have the names of the recorded kernel.
Missing why_no_kernel(const Binary& binary);

}  // namespace perfsift::symbolize
