#include "tests/support/dwarf_program.h"

#include <dwarf.h>

namespace perfsift::test {

namespace {

enum Code : std::uint8_t {
  unit_code = 1,
  name_code,
  function_code,
  call_code,
  number_code,
  structure_code,
  member_code,
  array_code,
  dimension_code,
  variable_code
};

struct Attribute {
  std::uint16_t name;
  std::uint16_t form;
};

void abbreviation(BytesBuilder& to, Code code, std::uint8_t tag, bool children, const std::vector<Attribute>& list) {
  to.u8(code).u8(tag).u8(children ? DW_CHILDREN_yes : DW_CHILDREN_no);
  for (const Attribute& attribute : list) uleb128(uleb128(to, attribute.name), attribute.form);
  to.u8(0).u8(0);
}

std::vector<std::byte> abbreviations(std::uint16_t version) {
  const std::uint16_t text = version == 5 ? DW_FORM_strx1 : DW_FORM_strp;
  BytesBuilder to;
  abbreviation(to, unit_code, DW_TAG_compile_unit, true,
               {{DW_AT_stmt_list, DW_FORM_sec_offset},
                {DW_AT_comp_dir, DW_FORM_string},
                {DW_AT_low_pc, DW_FORM_addr},
                {DW_AT_high_pc, DW_FORM_data4},
                {DW_AT_str_offsets_base, DW_FORM_sec_offset},
                {DW_AT_addr_base, DW_FORM_sec_offset},
                {DW_AT_rnglists_base, DW_FORM_sec_offset}});
  abbreviation(to, name_code, DW_TAG_subprogram, false, {{DW_AT_name, text}, {DW_AT_decl_line, DW_FORM_udata}});
  abbreviation(to, function_code, DW_TAG_subprogram, true,
               {{DW_AT_name, DW_FORM_string},
                {DW_AT_linkage_name, DW_FORM_string},
                {DW_AT_low_pc, version == 5 ? std::uint16_t{DW_FORM_addrx} : std::uint16_t{DW_FORM_addr}},
                {DW_AT_high_pc, DW_FORM_data4}});
  abbreviation(to, call_code, DW_TAG_inlined_subroutine, true,
               {{DW_AT_abstract_origin, DW_FORM_ref4},
                {DW_AT_ranges, version == 5 ? std::uint16_t{DW_FORM_rnglistx} : std::uint16_t{DW_FORM_sec_offset}},
                {DW_AT_call_file, DW_FORM_data1},
                {DW_AT_call_line, DW_FORM_data1},
                {DW_AT_call_column, DW_FORM_data1}});
  abbreviation(to, number_code, DW_TAG_base_type, false, {{DW_AT_byte_size, DW_FORM_data1}});
  abbreviation(to, structure_code, DW_TAG_structure_type, true, {{DW_AT_byte_size, DW_FORM_data1}});
  abbreviation(to, member_code, DW_TAG_member, false,
               {{DW_AT_name, DW_FORM_string}, {DW_AT_type, DW_FORM_ref4}, {DW_AT_data_member_location, DW_FORM_data1}});
  abbreviation(to, array_code, DW_TAG_array_type, true, {{DW_AT_type, DW_FORM_ref4}});
  abbreviation(to, dimension_code, DW_TAG_subrange_type, false, {{DW_AT_upper_bound, DW_FORM_data1}});
  abbreviation(to, variable_code, DW_TAG_variable, false,
               {{DW_AT_name, DW_FORM_string},
                {DW_AT_decl_file, DW_FORM_data1},
                {DW_AT_decl_line, DW_FORM_data1},
                {DW_AT_type, DW_FORM_ref4},
                {DW_AT_location, DW_FORM_exprloc}});
  return to.u8(0).take();
}

// Prefixes `content` with its length.
std::vector<std::byte> with_length(const BytesBuilder& content) {
  return BytesBuilder().u32(static_cast<std::uint32_t>(content.size())).bytes(content.view()).take();
}

// The table, and its types. `here`: the offset of the next entry.
template <typename Here>
void add_table(std::uint16_t version, BytesBuilder& to, const Here& here, std::vector<std::size_t>& types) {
  const auto type = [&](std::uint32_t entry) {
    types.push_back(here());
    to.u32(entry);
  };
  const std::uint32_t number = here();
  to.u8(number_code).u8(4);
  const std::uint32_t structure = here();
  to.u8(structure_code).u8(8);
  to.u8(member_code).text("a").zeros(1);
  type(number);
  to.u8(0).u8(member_code).text("b").zeros(1);
  type(number);
  to.u8(4).u8(0);
  const std::uint32_t array = here();
  to.u8(array_code);
  type(structure);
  to.u8(dimension_code).u8(1).u8(0);
  to.u8(variable_code).text("table").zeros(1).u8(1).u8(7);
  type(array);
  if (version == 5)
    to.u8(2).u8(DW_OP_addrx).u8(1);
  else
    to.u8(9).u8(DW_OP_addr).u64(DwarfProgram::table);
}

std::vector<std::byte> info(std::uint16_t version, std::vector<std::size_t>& origins, std::vector<std::size_t>& types) {
  BytesBuilder to;
  if (version == 5)
    to.u16(5).u8(DW_UT_compile).u8(8).u32(0);
  else
    to.u16(version).u32(0).u8(8);
  const auto here = [&] { return static_cast<std::uint32_t>(to.size() + 4); };  // behind the length
  const auto name = [&](std::uint8_t number, std::uint32_t offset) {
    const std::uint32_t at = here();
    to.u8(name_code);
    if (version == 5)
      to.u8(number);
    else
      to.u32(offset);
    to.u8(3);
    return at;
  };
  const auto call = [&](std::uint32_t origin, std::uint8_t list, std::uint8_t line, std::uint8_t column) {
    to.u8(call_code);
    origins.push_back(here());
    to.u32(origin);
    if (version == 5)
      to.u8(list);
    else
      to.u32(list * 32U);
    to.u8(1).u8(line).u8(column);
  };
  to.u8(unit_code).u32(0).text("/src").zeros(1).u64(DwarfProgram::code).u32(0x100).u32(8).u32(8).u32(12);
  const std::uint32_t inner = name(0, 0), innermost = name(1, 6);
  to.u8(function_code).text("outer").zeros(1).text("_Z5outerv").zeros(1);
  if (version == 5)
    to.u8(0);
  else
    to.u64(DwarfProgram::code);
  to.u32(0x100);
  call(inner, 0, 12, 7);
  call(innermost, 1, 5, 3);
  to.u8(0).u8(0).u8(0);
  add_table(version, to, here, types);
  to.u8(0);
  return with_length(to);
}

// Line 1 starts at 0x1000, line 3 at 0x1010, line 30 at 0x1014, line 20 at 0x1018; the end is 0x1100.
std::vector<std::byte> line(std::uint16_t version) {
  BytesBuilder names;
  names.u8(1).u8(1).u8(1).u8(static_cast<std::uint8_t>(-3)).u8(12).u8(10);
  names.u8(0).u8(1).u8(1).u8(1).u8(1).u8(0).u8(0).u8(0).u8(1);
  if (version == 5) {
    names.u8(1).u8(DW_LNCT_path).u8(DW_FORM_line_strp).u8(1).u32(0);
    names.u8(2).u8(DW_LNCT_path).u8(DW_FORM_string).u8(DW_LNCT_directory_index).u8(DW_FORM_udata);
    names.u8(2).text("a.c").zeros(1).u8(0).text("a.c").zeros(1).u8(0);
  } else {
    names.u8(0).text("a.c").zeros(4).u8(0);
  }
  BytesBuilder program;
  program.u8(0).u8(9).u8(DW_LNE_set_address).u64(DwarfProgram::code).u8(DW_LNS_copy);
  const auto row = [&](std::uint8_t advance, std::int8_t lines) {
    program.u8(DW_LNS_advance_pc).u8(advance).u8(DW_LNS_advance_line).u8(static_cast<std::uint8_t>(lines & 0x7f));
    program.u8(DW_LNS_copy);
  };
  row(0x10, 2);
  row(4, 27);
  row(4, -10);
  uleb128(program.u8(DW_LNS_advance_pc), 0xe8).u8(0).u8(1).u8(DW_LNE_end_sequence);

  BytesBuilder to;
  to.u16(version);
  if (version == 5) to.u8(8).u8(0);
  to.u32(static_cast<std::uint32_t>(names.size())).bytes(names.view()).bytes(program.view());
  return with_length(to);
}

}  // namespace

BytesBuilder& uleb128(BytesBuilder& to, std::uint64_t number) {
  for (; number >= 0x80; number >>= 7) to.u8(static_cast<std::uint8_t>(number | 0x80));
  return to.u8(static_cast<std::uint8_t>(number));
}

DwarfProgram dwarf_program(std::uint16_t version) {
  DwarfProgram program;
  program.sections[".debug_abbrev"] = abbreviations(version);
  program.sections[".debug_info"] = info(version, program.origins, program.types);
  program.sections[".debug_line"] = line(version);
  program.sections[".debug_str"] = BytesBuilder().text("inner").zeros(1).text("innermost").zeros(1).take();
  program.sections[".debug_line_str"] = BytesBuilder().text("/src").zeros(1).take();
  BytesBuilder lists;
  if (version == 5) {
    program.sections[".debug_str_offsets"] = with_length(BytesBuilder().u16(5).u16(0).u32(0).u32(6));
    program.sections[".debug_addr"] =
        with_length(BytesBuilder().u16(5).u8(8).u8(0).u64(DwarfProgram::code).u64(DwarfProgram::table));
    lists.u16(5).u8(8).u8(0).u32(2).u32(8).u32(12);
    lists.u8(DW_RLE_offset_pair).u8(0x10).u8(0x20).u8(DW_RLE_end_of_list);
    lists.u8(DW_RLE_base_address).u64(DwarfProgram::code + 0x10).u8(DW_RLE_offset_pair).u8(4).u8(8);
    program.sections[".debug_rnglists"] = with_length(lists.u8(DW_RLE_end_of_list));
  } else {
    lists.u64(0x10).u64(0x20).u64(0).u64(0);
    lists.u64(~std::uint64_t{0}).u64(DwarfProgram::code + 0x10).u64(4).u64(8).u64(0).u64(0);
    program.sections[".debug_ranges"] = lists.take();
  }
  return program;
}

std::vector<std::byte> DwarfProgram::elf() const {
  ElfBuilder builder;
  const std::vector<std::byte> nothing(0x100);
  builder.section(".text", nothing, SHF_ALLOC | SHF_EXECINSTR, code);
  builder.section(".data", nothing, SHF_ALLOC | SHF_WRITE, table);
  for (const auto& [name, content] : sections) builder.section(name, content);
  return builder.take();
}

}  // namespace perfsift::test
