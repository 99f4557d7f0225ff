// DW_FORM_…: how the value of an attribute is stored, and what it means.
#pragma once

#include <cstdint>
#include <optional>

#include "symbolize/dwarf/dwarf_reader.h"

namespace perfsift::symbolize::dwarf {

// The meaning of a Value's number.
enum class ValueKind : std::uint8_t {
  none,           // nothing that is of use here (blocks, expressions, references to type units)
  constant,       // also flags
  address,        // an address of the program
  address_index,  // into .debug_addr
  info_string,    // where in .debug_info the string itself is
  str_offset,     // in .debug_str
  line_str_offset,
  str_index,            // into .debug_str_offsets
  alternate_str,        // an offset in the .debug_str of the supplementary file
  unit_reference,       // an entry, counted from the header of the unit
  info_reference,       // an entry, its offset in .debug_info
  alternate_reference,  // an entry of the supplementary file
  section_offset,       // of a list or table
  range_list_index,     // into .debug_rnglists
};

struct Value {
  ValueKind kind = ValueKind::none;
  std::uint64_t number = 0;

  explicit operator bool() const { return kind != ValueKind::none; }
};

// The number of bytes of a value.
enum class Layout : std::uint8_t {
  unknown,
  fixed,      // as many as FormShape::size says
  address,    // that of the unit's addresses
  offset,     // that of the unit's offsets
  reference,  // of addresses in DWARF 2, else of offsets
  uleb128,
  sleb128,
  string,  // up to its NUL
  block1,  // a length of one byte and the block
  block2,
  block4,
  block,     // a ULEB128 length and the block
  indirect,  // the form itself stands before the value
};

struct FormShape {
  Layout layout = Layout::unknown;
  ValueKind kind = ValueKind::none;
  std::uint8_t size = 0;  // of Layout::fixed
};
FormShape shape_of(std::uint64_t form);

// Sizes that the header of a unit gives.
struct UnitSizes {
  std::uint16_t version = 0;
  std::uint8_t address_size = 0;
  std::uint8_t offset_size = 0;

  // The size of a form whose layout is fixed once the unit is known; 0 for any other form.
  unsigned size(const FormShape& shape) const;
  bool operator==(const UnitSizes&) const = default;
};

// `in` stands at the value; `implicit`: the constant of DW_FORM_implicit_const, from the abbreviation.
Value read_value(DwarfReader& in, std::uint64_t form, std::int64_t implicit, const UnitSizes& sizes);
// The bytes of a block or of an expression. For other forms nothing, and nothing is read.
std::optional<Bytes> read_block(DwarfReader& in, std::uint64_t form);
// Skips a value of variable size.
void skip_variable(DwarfReader& in, Layout layout, const UnitSizes& sizes);

}  // namespace perfsift::symbolize::dwarf
