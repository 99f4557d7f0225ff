// Finds the function name of an address in a binary.
//
// Start here. A Symbolizer finds and loads one SymbolFile per distinct Binary, on first use. A
// SymbolFile is immutable once loaded: a sorted table of functions, looked up by binary search.
// An address without a name has a reason (Missing).
//
// The folders, each of which uses only the folders above it:
//
//   files/    files read whole or mapped, their identity, and why an address has no name
//   elf/      ELF files: sections, symbols, relocations, packed sections
//   search/   where the files of a binary are: debug files, vmlinux, vdso, debuginfod
//   cache/    what is kept from run to run
//   dwarf/    inlined calls and source lines
//   symbols/  tables of symbols: order, ends, aliases, overlaps; kallsyms; demangling
//   jit/      code made at run time: jitdumps, perf maps, what lay where and when
//   unwind/   the callers of a function
//   (here)    Symbolizer, and what it does for kernels and for programs
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/binary.h"
#include "symbolize/search/symbolize_options.h"
#include "symbolize/symbols/symbol_file.h"

namespace perfsift::symbolize {

class UnwindTables;

// Thread-safe. References live as long as the object. The destructor writes new tables to the cache.
class Symbolizer {
 public:
  explicit Symbolizer(SymbolizeOptions options = {});
  ~Symbolizer();

  // Finds and loads the names of `binary`; the same object for the same binary. Never throws for a
  // bad file: the SymbolFile then has no symbols and says why.
  const SymbolFile& file(const Binary& binary);
  // SymbolFile::warnings() of all files that were loaded so far, sorted.
  std::vector<FileWarning> warnings() const;
  // The symbolizer for filters, whose names must not depend on the style of the output: this one, or one without
  // aliases_as_perf_6_1 that lives as long.
  Symbolizer& for_filters();
  // How a program or library was compiled; empty if its debug information does not say so, or is not here. See
  // dwarf::compiled_with().
  const std::string& compiled_with(const Binary& binary);
  // With SymbolizeOptions::note_addresses: the names of all addresses of programs, libraries and kernels that were
  // asked for, by the purpose of each binary's file (see packed_names.h and used_files.h). No other thread may use the
  // object.
  std::map<std::string, std::string> packed_names() const;
  // The unwinding rules of the same binaries, from the same files.
  UnwindTables& unwind_tables();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace perfsift::symbolize
