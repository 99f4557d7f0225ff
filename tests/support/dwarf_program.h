// The debug information of a tiny program, made by hand. Tests use it unchanged, or damaged in one place:
//
//   0x1000..0x1100  outer (_Z5outerv)
//   0x1010..0x1020    inner, inlined at /src/a.c:12:7, has a range list of its own
//   0x1014..0x1018      innermost, inlined at /src/a.c:5:3
//   0x1200..0x1210  struct { int a, b; } table[2], of /src/a.c:7
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/support/bytes.h"
#include "tests/support/elf_builder.h"

namespace perfsift::test {

struct DwarfProgram {
  static constexpr std::uint64_t code = 0x1000;
  static constexpr std::uint64_t table = 0x1200;
  std::map<std::string, std::vector<std::byte>> sections;
  std::vector<std::size_t> origins;  // offsets in .debug_info of DW_AT_abstract_origin of the two calls
  std::vector<std::size_t> types;    // offsets in .debug_info of DW_AT_type

  std::vector<std::byte> elf() const;
};

// The sections that a DwarfProgram may have.
inline constexpr const char* dwarf_sections[] = {".debug_info",     ".debug_abbrev",      ".debug_line",
                                                 ".debug_str",      ".debug_line_str",    ".debug_ranges",
                                                 ".debug_rnglists", ".debug_str_offsets", ".debug_addr"};

// `version`: DWARF 4 or 5.
DwarfProgram dwarf_program(std::uint16_t version);

// Appends a number as ULEB128.
BytesBuilder& uleb128(BytesBuilder& to, std::uint64_t number);

}  // namespace perfsift::test
