// Finds the functions and source lines of an address of an ELF file by its DWARF.
//
// All tables are flat. Opening a file reads the root entry of each unit, and makes one table from addresses to units.
// The first look-up of an address in a unit makes the unit's tables of functions, inlined calls and lines. Each further
// address costs three binary searches:
//
//   address ─► unit (Cover) ─► innermost scope (ScopeTable) ─► the calls around it
//                          └─► row (LineTable) ─► path, line, column
//
// libdw offers the same by walking the entries for each address, at milliseconds per address, and trusts what it walks.
// So this code reads DWARF itself, through ByteReader, unless the cache has the tables of an earlier run.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "symbolize/dwarf/source_frame.h"
#include "symbolize/dwarf/source_variable.h"
#include "symbolize/elf/elf_file.h"
#include "symbolize/search/symbolize_options.h"

namespace perfsift::symbolize::dwarf {

// Thread-safe. Strings live as long as the object. The destructor writes new tables to the cache.
class DebugInfo {
 public:
  // nullptr if the file has no debug information. `program`: the path of the file that was mapped; split units may lie
  // beside it. `file`: that file, or its debug file. No other code may use `file` at the same time.
  static std::shared_ptr<const DebugInfo> open(std::shared_ptr<ElfFile> file, const std::string& program,
                                               const SymbolizeOptions& options);
  ~DebugInfo();

  // Appends the frames at an address, innermost first; none if nothing is known. The first frame is at the
  // address itself, each further frame at the call of the frame before; the last frame is no inlined call. An address
  // with a line and no function gives one frame without a name.
  void append_frames(std::uint64_t address, std::vector<SourceFrame>& frames) const;

  // The variable with static storage at an address, and which part of it lies there. The first call reads all entries
  // of the file once, to find its variables.
  std::optional<SourceVariable> find_variable(std::uint64_t address) const;

 private:
  class State;
  explicit DebugInfo(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace perfsift::symbolize::dwarf
