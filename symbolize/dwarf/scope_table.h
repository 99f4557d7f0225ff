// The functions of a unit, and the calls that were inlined into them.
//
// One pass over the entries of a unit makes the table. Then an address costs one binary search, and a walk from the
// innermost call outwards. The table is plain arrays with indices.
#pragma once

#include <cstdint>
#include <vector>

#include "symbolize/dwarf/cover.h"
#include "symbolize/dwarf/range_list.h"
#include "symbolize/dwarf/unit.h"

namespace perfsift::symbolize::dwarf {

// An entry of .debug_info, in this file or in its supplementary file.
struct EntryReference {
  std::uint64_t offset = 0;
  bool alternate = false;
};

// A function (DW_TAG_subprogram), or one that was inlined (DW_TAG_inlined_subroutine).
struct Scope {
  static constexpr std::uint32_t none = Cover::nothing;

  std::uint32_t parent = none;  // what it was inlined into; none: it is a function
  std::uint32_t name = 0;       // index into ScopeTable::named
  std::uint32_t call_file = 0;  // where it was inlined: a file of the unit's line table
  std::uint32_t call_line = 0;
  std::uint32_t call_column = 0;
};

struct ScopeTable {
  std::vector<Scope> scopes;          // each after its parent
  Cover innermost;                    // of an address: index into scopes
  std::vector<EntryReference> named;  // the entries that lead to the names
};

ScopeTable read_scopes(const Unit& unit, const CodeSections& code);

}  // namespace perfsift::symbolize::dwarf
