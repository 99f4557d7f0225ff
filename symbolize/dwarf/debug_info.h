// From an address of an ELF file to the functions and source lines there, by its DWARF.
//
// What is asked often is flat. Opening a file reads the root entry of each unit, and makes of them one table from
// addresses to units. The first address in a unit makes its tables of functions, inlined calls and lines. From then on
// an address costs three binary searches:
//
//   address ─► unit (Cover) ─► innermost scope (ScopeTable) ─► the calls around it
//                          └─► row (LineTable) ─► path, line, column
//
// libdw offers the same by walking the entries for each address, at milliseconds per address, and trusts what it walks.
// So this reads DWARF itself, through ByteReader; and what the cache has of an earlier run it does not read again.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "symbolize/dwarf/source_frame.h"
#include "symbolize/elf/elf_file.h"
#include "symbolize/search/symbolize_options.h"

namespace perfsift::symbolize::dwarf {

// Thread-safe. Strings it hands out live as long as it does. When it goes, it writes what is new to the cache.
class DebugInfo {
 public:
  // nullptr when the file has no debug information. `program`: the path of the file that was mapped, beside which split
  // units may be; `file` may be a debug file of it. The file must not be used by others at the same time.
  static std::shared_ptr<const DebugInfo> open(std::shared_ptr<ElfFile> file, const std::string& program,
                                               const SymbolizeOptions& options);
  ~DebugInfo();

  // Appends the frames at an address, innermost first; none when nothing is known about it. The first one is at the
  // address itself, each further one at the call of the one before it; the last one is no inlined call. Where there
  // is a line and no function, the one frame has no name.
  void append_frames(std::uint64_t address, std::vector<SourceFrame>& frames) const;

 private:
  class State;
  explicit DebugInfo(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace perfsift::symbolize::dwarf
