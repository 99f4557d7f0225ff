// The names in one ELF file by the file's own addresses, as debuggers and addr2line use them. (Recordings use offsets
// in the file.)
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "symbolize/dwarf/source_frame.h"
#include "symbolize/search/symbolize_options.h"

namespace perfsift::symbolize {

// Thread-safe. Strings live as long as the object. The destructor writes new tables to the cache.
class ProgramNames {
 public:
  // A program, library, object or debug file. Throws InputError for any other file, and if the file cannot be read.
  ProgramNames(const std::string& path, const SymbolizeOptions& options);
  ~ProgramNames();

  // Appends the functions at an address, innermost first. The last frame has the name of the symbol table, if a
  // symbol covers the address: `f.cold`, `f.isra.0`. Appends none if nothing is known.
  void append_frames(std::uint64_t address, std::vector<SourceFrame>& frames) const;
  // The address of a section; in a relocatable file, the address that ElfFile gives to code. Throws UsageError if there
  // is no such section.
  std::uint64_t section_address(const std::string& name) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace perfsift::symbolize
