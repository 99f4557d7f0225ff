#include "symbolize/dwarf/forms.h"

#include <dwarf.h>

namespace perfsift::symbolize::dwarf {

FormShape shape_of(std::uint64_t form) {
  switch (form) {
    case DW_FORM_addr:
      return {Layout::address, ValueKind::address};
    case DW_FORM_addrx:
    case DW_FORM_GNU_addr_index:
      return {Layout::uleb128, ValueKind::address_index};
    case DW_FORM_addrx1:
      return {Layout::fixed, ValueKind::address_index, 1};
    case DW_FORM_addrx2:
      return {Layout::fixed, ValueKind::address_index, 2};
    case DW_FORM_addrx3:
      return {Layout::fixed, ValueKind::address_index, 3};
    case DW_FORM_addrx4:
      return {Layout::fixed, ValueKind::address_index, 4};

    case DW_FORM_data1:
    case DW_FORM_flag:
      return {Layout::fixed, ValueKind::constant, 1};
    case DW_FORM_data2:
      return {Layout::fixed, ValueKind::constant, 2};
    case DW_FORM_data4:
      return {Layout::fixed, ValueKind::constant, 4};
    case DW_FORM_data8:
      return {Layout::fixed, ValueKind::constant, 8};
    case DW_FORM_data16:
      return {Layout::fixed, ValueKind::none, 16};
    case DW_FORM_udata:
      return {Layout::uleb128, ValueKind::constant};
    case DW_FORM_sdata:
      return {Layout::sleb128, ValueKind::constant};
    case DW_FORM_flag_present:
    case DW_FORM_implicit_const:
      return {Layout::fixed, ValueKind::constant, 0};

    case DW_FORM_string:
      return {Layout::string, ValueKind::info_string};
    case DW_FORM_strp:
      return {Layout::offset, ValueKind::str_offset};
    case DW_FORM_line_strp:
      return {Layout::offset, ValueKind::line_str_offset};
    case DW_FORM_strp_sup:
    case DW_FORM_GNU_strp_alt:
      return {Layout::offset, ValueKind::alternate_str};
    case DW_FORM_strx:
    case DW_FORM_GNU_str_index:
      return {Layout::uleb128, ValueKind::str_index};
    case DW_FORM_strx1:
      return {Layout::fixed, ValueKind::str_index, 1};
    case DW_FORM_strx2:
      return {Layout::fixed, ValueKind::str_index, 2};
    case DW_FORM_strx3:
      return {Layout::fixed, ValueKind::str_index, 3};
    case DW_FORM_strx4:
      return {Layout::fixed, ValueKind::str_index, 4};

    case DW_FORM_ref1:
      return {Layout::fixed, ValueKind::unit_reference, 1};
    case DW_FORM_ref2:
      return {Layout::fixed, ValueKind::unit_reference, 2};
    case DW_FORM_ref4:
      return {Layout::fixed, ValueKind::unit_reference, 4};
    case DW_FORM_ref8:
      return {Layout::fixed, ValueKind::unit_reference, 8};
    case DW_FORM_ref_udata:
      return {Layout::uleb128, ValueKind::unit_reference};
    case DW_FORM_ref_addr:
      return {Layout::reference, ValueKind::info_reference};
    case DW_FORM_GNU_ref_alt:
      return {Layout::offset, ValueKind::alternate_reference};
    case DW_FORM_ref_sup4:
      return {Layout::fixed, ValueKind::alternate_reference, 4};
    case DW_FORM_ref_sup8:
      return {Layout::fixed, ValueKind::alternate_reference, 8};
    case DW_FORM_ref_sig8:  // a type; code is in no type unit
      return {Layout::fixed, ValueKind::none, 8};

    case DW_FORM_sec_offset:
      return {Layout::offset, ValueKind::section_offset};
    case DW_FORM_rnglistx:
      return {Layout::uleb128, ValueKind::range_list_index};
    case DW_FORM_loclistx:
      return {Layout::uleb128, ValueKind::none};

    case DW_FORM_block1:
      return {Layout::block1, ValueKind::none};
    case DW_FORM_block2:
      return {Layout::block2, ValueKind::none};
    case DW_FORM_block4:
      return {Layout::block4, ValueKind::none};
    case DW_FORM_block:
    case DW_FORM_exprloc:
      return {Layout::block, ValueKind::none};
    case DW_FORM_indirect:
      return {Layout::indirect, ValueKind::none};
    default:
      return {};
  }
}

unsigned UnitSizes::size(const FormShape& shape) const {
  switch (shape.layout) {
    case Layout::fixed:
      return shape.size;
    case Layout::address:
      return address_size;
    case Layout::offset:
      return offset_size;
    case Layout::reference:
      return version <= 2 ? address_size : offset_size;
    default:
      return 0;
  }
}

Value read_value(DwarfReader& in, std::uint64_t form, std::int64_t implicit, const UnitSizes& sizes) {
  if (form == DW_FORM_flag_present) return {ValueKind::constant, 1};
  if (form == DW_FORM_implicit_const) return {ValueKind::constant, static_cast<std::uint64_t>(implicit)};
  if (form == DW_FORM_indirect) {
    form = in.uleb128();
    // A chain of indirect forms is invalid, and so is a constant that would stand in the abbreviation.
    if (form == DW_FORM_indirect || form == DW_FORM_implicit_const) return in.fail(), Value{};
    return read_value(in, form, 0, sizes);
  }
  const FormShape shape = shape_of(form);
  if (shape.layout == Layout::uleb128) return {shape.kind, in.uleb128()};
  if (shape.layout == Layout::sleb128) return {shape.kind, static_cast<std::uint64_t>(in.sleb128())};
  if (shape.kind == ValueKind::info_string) {
    const Value value{shape.kind, in.position()};
    (void)in.cstring();
    return value;
  }
  if (shape.kind != ValueKind::none) return {shape.kind, in.number(sizes.size(shape))};
  if (const unsigned size = sizes.size(shape); size != 0)
    in.skip(size);
  else
    skip_variable(in, shape.layout, sizes);
  return {};
}

std::optional<Bytes> read_block(DwarfReader& in, std::uint64_t form) {
  switch (shape_of(form).layout) {
    case Layout::block1:
      return in.bytes(in.u8());
    case Layout::block2:
      return in.bytes(in.u16());
    case Layout::block4:
      return in.bytes(in.u32());
    case Layout::block:
      return in.bytes(in.uleb128());
    default:
      return std::nullopt;
  }
}

void skip_variable(DwarfReader& in, Layout layout, const UnitSizes& sizes) {
  switch (layout) {
    case Layout::uleb128:
    case Layout::sleb128:
      return in.skip_leb128();
    case Layout::string:
      return (void)in.cstring();
    case Layout::block1:
      return in.skip(in.u8());
    case Layout::block2:
      return in.skip(in.u16());
    case Layout::block4:
      return in.skip(in.u32());
    case Layout::block:
      return in.skip(in.uleb128());
    case Layout::indirect:
      return (void)read_value(in, DW_FORM_indirect, 0, sizes);
    default:
      return in.fail();
  }
}

}  // namespace perfsift::symbolize::dwarf
