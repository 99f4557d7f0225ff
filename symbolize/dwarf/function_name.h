// The name of a function: in its entry, or in entries that the entry refers to.
#pragma once

#include <cstdint>

#include "symbolize/dwarf/scope_table.h"
#include "symbolize/dwarf/unit.h"

namespace perfsift::symbolize::dwarf {

struct FunctionName {
  TextPlace place;
  bool mangled = false;  // DW_AT_linkage_name; else it is a DW_AT_name, without the namespaces it is in
};

// Follows DW_AT_abstract_origin and DW_AT_specification, across units and into the supplementary file. A mangled name
// anywhere on the way is better than a plain one.
FunctionName find_name(const Unit& unit, const EntryReference& entry);

}  // namespace perfsift::symbolize::dwarf
