// The addresses of an entry: DW_AT_low_pc and DW_AT_high_pc, .debug_ranges, .debug_rnglists.
#pragma once

#include <vector>

#include "symbolize/dwarf/cover.h"
#include "symbolize/dwarf/unit.h"

namespace perfsift::symbolize::dwarf {

// The three attributes of an entry that give its ranges; each may be missing.
struct RangeAttributes {
  Value low_pc, high_pc, ranges;
};

// The addresses that can have code. A linker that drops a function leaves its debug information with unused addresses
// (0, 1, -1, -2): a range that does not start in code does not count.
class CodeSections {
 public:
  // A file without sections may have code everywhere.
  explicit CodeSections(const ElfFile& file);
  bool contains(std::uint64_t address) const { return anywhere_ || cover_.find(address) != Cover::nothing; }

 private:
  Cover cover_;
  bool anywhere_ = false;
};

// Appends the ranges that are not empty. Ranges that cannot be read are left out.
void read_ranges(const Unit& unit, const RangeAttributes& attributes, const CodeSections& code,
                 std::vector<AddressRange>& to);

}  // namespace perfsift::symbolize::dwarf
