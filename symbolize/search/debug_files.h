// Finds the files that hold the names of a program or library: the file itself, perf's build-id cache, debug files.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "symbolize/elf/elf_file.h"
#include "symbolize/files/missing.h"
#include "symbolize/search/symbolize_options.h"

namespace perfsift::symbolize {

struct FoundFiles {
  std::shared_ptr<ElfFile> runtime;     // what was mapped: has the code and the exported names
  std::shared_ptr<ElfFile> symbols;     // the first file that has a .symtab; may be the same
  std::shared_ptr<ElfFile> debug_info;  // the first file that has .debug_info; may be one of these
  Missing missing = Missing::none;      // why there is no runtime file
};

// Looks, in this order, at
//   perf's build-id cache, by build id
//   DEBUG_DIR/.build-id/xx/yyyy.debug
//   what was fetched for the build id
//   the file's debug link, if the build id or else its CRC agrees: beside the file, in .debug/ there, in DEBUG_DIR/<its
//   folder> DEBUG_DIR/<path>.debug, DEBUG_DIR/<path> the file itself
// Paths of the recording and debug folders are below options.symfs. A file with another build id than the recorded
// one is never used. A path that ends in " (deleted)" names a removed file: without a build id to check, a newer file
// at the path is not used.
//
// Without a recorded build id, the file at the path is used if nothing speaks against it: another inode, another
// generation of the inode, contents that were written after the recording, or a size that is too small for what was
// mapped. Below options.symfs lie copies, so that only the size counts. options.force uses the file in any case.
FoundFiles find_files(const Binary& binary, const SymbolizeOptions& options);

// The folder of perf's build-id cache; empty without a home directory.
std::string build_id_cache(const SymbolizeOptions& options);
// The path of a build id below a folder: "FOLDER/.build-id/ab/cdef…".
std::string build_id_path(const std::string& folder, const BuildId& id);
// All paths at which a file with this build id, or its debug file, may be stored under the id.
std::vector<std::string> paths_of_build_id(const BuildId& id, const SymbolizeOptions& options);

}  // namespace perfsift::symbolize
