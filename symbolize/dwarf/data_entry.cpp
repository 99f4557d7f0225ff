#include "symbolize/dwarf/data_entry.h"

#include <dwarf.h>

namespace perfsift::symbolize::dwarf {

namespace {

// DWARF 2 and 3 have the place of a member as an expression that adds a constant.
std::optional<std::uint64_t> constant_of(Bytes expression, ByteOrder order) {
  DwarfReader in(expression, order);
  const bool adds = in.u8() == DW_OP_plus_uconst;
  const std::uint64_t constant = in.uleb128();
  return adds && in.ok() && in.remaining() == 0 ? std::optional(constant) : std::nullopt;
}

EntryPlace place_of(const Value& value, const Unit& unit) {
  switch (value.kind) {
    case ValueKind::unit_reference:
      return {unit.file, unit.header.offset + value.number};
    case ValueKind::info_reference:
      return {unit.file, value.number};
    case ValueKind::alternate_reference:
      return {unit.file->supplementary(), value.number};
    default:
      return {};
  }
}

void take(std::uint16_t name, const Value& value, const Unit& unit, DataEntry& entry) {
  const auto constant = value.kind == ValueKind::constant ? std::optional(value.number) : std::nullopt;
  switch (name) {
    case DW_AT_name:
      entry.name = unit.text(value);
      break;
    case DW_AT_type:
      entry.type = place_of(value, unit);
      break;
    case DW_AT_specification:
    case DW_AT_abstract_origin:
      entry.origin = place_of(value, unit);
      break;
    case DW_AT_byte_size:
      entry.byte_size = constant;
      break;
    case DW_AT_bit_size:
      entry.bit_size = constant;
      break;
    case DW_AT_byte_stride:
      entry.byte_stride = constant;
      break;
    case DW_AT_bit_stride:
      entry.has_bit_stride = true;
      break;
    case DW_AT_count:
      entry.count = constant;
      break;
    case DW_AT_lower_bound:
      entry.lower_bound = constant;
      break;
    case DW_AT_upper_bound:
      entry.upper_bound = constant;
      break;
    case DW_AT_data_member_location:
      entry.member_location = constant;
      entry.moves = !constant;
      break;
    case DW_AT_bit_offset:
      entry.bit_offset = constant;
      break;
    case DW_AT_data_bit_offset:
      entry.data_bit_offset = constant;
      break;
    case DW_AT_declaration:
      entry.declaration = value.number != 0;
      break;
    case DW_AT_decl_file:
      entry.file = constant;
      break;
    case DW_AT_decl_line:
      entry.line = value.number;
      break;
    case DW_AT_language:
      entry.language = value.number;
      break;
    default:
      break;
  }
}

}  // namespace

const DataEntries::OpenUnit* DataEntries::unit_at(const EntryPlace& place) {
  const UnitHeader* header = place.file == nullptr ? nullptr : place.file->unit_at(place.offset);
  if (header == nullptr) return nullptr;
  const auto [known, is_new] = units_.try_emplace(EntryPlace{place.file, header->offset});
  if (is_new) known->second = {place.file->unit(*header), place.file->abbreviations(*header)};
  return &known->second;
}

DataEntry DataEntries::read_attributes_of(DwarfReader& in, const Abbreviation& abbreviation,
                                          const OpenUnit& home) const {
  DataEntry entry{.unit = &home.unit, .tag = abbreviation.tag, .has_children = abbreviation.has_children};
  for (const Attribute& attribute : home.table->attributes(abbreviation)) {
    const auto block = read_block(in, attribute.form);
    if (!block) {
      take(attribute.name, read_value(in, attribute.form, attribute.implicit, home.table->sizes()), home.unit, entry);
    } else if (attribute.name == DW_AT_data_member_location) {
      entry.member_location = constant_of(*block, in.order());
      entry.moves = !entry.member_location;
    }
  }
  entry.end = in.position();
  return entry;
}

std::optional<DataEntry> DataEntries::read(const EntryPlace& place) {
  const OpenUnit* home = unit_at(place);
  if (home == nullptr) return std::nullopt;
  const DebugSections& sections = place.file->sections();
  DwarfReader in(sections.info.first(home->unit.header.end), sections.order, place.offset);
  const Abbreviation* abbreviation = home->table->find(in.uleb128());
  if (abbreviation == nullptr) return std::nullopt;
  const DataEntry entry = read_attributes_of(in, *abbreviation, *home);
  return in.ok() && budget_.pay(in.position() - place.offset) ? std::optional(entry) : std::nullopt;
}

void DataEntries::visit_children(const DataEntry& entry, const std::function<void(const DataEntry& child)>& visit) {
  const OpenUnit* home = entry.has_children ? unit_at({entry.unit->file, entry.unit->header.first_entry}) : nullptr;
  if (home == nullptr) return;
  const DebugSections& sections = entry.unit->file->sections();
  DwarfReader in(sections.info.first(home->unit.header.end), sections.order, entry.end);
  std::uint64_t depth = 0;
  for (std::uint64_t start = in.position(); in.remaining() != 0; start = in.position()) {
    const std::uint64_t code = in.uleb128();
    if (code == 0) {
      if (depth-- == 0) return;
      continue;
    }
    const Abbreviation* abbreviation = home->table->find(code);
    if (abbreviation == nullptr) return;
    if (depth != 0) {
      home->table->skip(in, *abbreviation);
    } else {
      const DataEntry child = read_attributes_of(in, *abbreviation, *home);
      if (in.ok()) visit(child);
    }
    if (!budget_.pay(in.position() - start)) return;
    if (abbreviation->has_children) ++depth;
  }
}

}  // namespace perfsift::symbolize::dwarf
