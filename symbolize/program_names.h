// The names in one ELF file by the addresses it has itself, as debuggers and addr2line use them; not by places in the
// file, as recordings do.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "symbolize/dwarf/source_frame.h"
#include "symbolize/search/symbolize_options.h"

namespace perfsift::symbolize {

// Thread-safe. Strings it hands out live as long as it does. When it goes, it writes what is new to the cache.
class ProgramNames {
 public:
  // A program, library, object or debug file. Throws InputError when it is none of these or cannot be read.
  ProgramNames(const std::string& path, const SymbolizeOptions& options);
  ~ProgramNames();

  // Appends the functions at an address, innermost first. The last one is named as in the symbol table, where that
  // covers the address: `f.cold`, `f.isra.0`. None when nothing is known.
  void append_frames(std::uint64_t address, std::vector<SourceFrame>& frames) const;
  // The address of a section; in a relocatable file that which ElfFile gives to code. Throws UsageError when there is
  // no such section.
  std::uint64_t section_address(const std::string& name) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace perfsift::symbolize
