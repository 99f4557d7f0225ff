// Where files with names are looked for.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/binary.h"

namespace perfsift::symbolize {

class SymbolCache;

// Where to look for names.
struct SymbolizeOptions {
  std::string symfs;  // prefix for every path of the recording (perf's --symfs)
  std::vector<std::string> debug_dirs = {"/usr/lib/debug"};
  std::string build_id_dir;  // perf's build-id cache; empty: .debug in the symfs, without one in $HOME
  std::string vmlinux;       // ELF kernel to use instead of kallsyms
  std::string kallsyms;      // a saved kallsyms file to use for the kernel and its modules
  // Choose among several symbols at one address exactly as perf 6.1 does, for output that must equal its output. The
  // names of the kernel differ in nothing but labels of a vmlinux: see Aliases in symbol_table.h.
  bool aliases_as_perf_6_1 = false;
  // Believe jitdumps and perf maps of all users: see jit_files.h.
  bool any_owner = false;
  // Files that were fetched for a build id, to be looked at after those in folders: see debuginfod.h.
  std::multimap<BuildId, std::string> fetched;
  // What earlier runs made of the same files; nullptr: everything is made anew, and nothing is kept.
  std::shared_ptr<SymbolCache> cache;
};

}  // namespace perfsift::symbolize
