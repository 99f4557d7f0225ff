// The options of a Symbolizer.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/binary.h"

namespace perfsift::symbolize {

class SymbolCache;
class UsedFiles;

// The sources of names.
struct SymbolizeOptions {
  std::string symfs;  // prefix for every path of the recording (perf's --symfs)
  std::vector<std::string> debug_dirs = {"/usr/lib/debug"};
  std::string build_id_dir;  // perf's build-id cache; empty: .debug in the symfs, without one in $HOME
  std::string vmlinux;       // ELF kernel to use instead of kallsyms
  std::string kallsyms;      // a saved kallsyms file to use for the kernel and its modules
  // Choose among several symbols at one address exactly as perf 6.1 does, for output that must equal perf's. Names of
  // the kernel differ only for labels of a vmlinux: see Aliases in symbol_table.h. Files without a recorded build id
  // are then used as they are.
  bool aliases_as_perf_6_1 = false;
  // Believe jitdumps and perf maps of all users (see jit_files.h), and files that may not be the recorded ones (see
  // debug_files.h).
  bool force = false;
  // Files that were fetched for a build id. They are tried after files in folders: see debuginfod.h.
  std::multimap<BuildId, std::string> fetched;
  // The tables of earlier runs; nullptr: all tables are made anew, and none are kept.
  std::shared_ptr<SymbolCache> cache;
  // Where to note all files that names and stacks come from; nullptr: nowhere. With a cache, files are not read.
  std::shared_ptr<UsedFiles> used;
  // Whether to note the addresses that are asked for: see Symbolizer::packed_names().
  bool note_addresses = false;
};

}  // namespace perfsift::symbolize
