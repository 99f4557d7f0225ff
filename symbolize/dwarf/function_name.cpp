#include "symbolize/dwarf/function_name.h"

#include <dwarf.h>

namespace perfsift::symbolize::dwarf {

namespace {

// A call, its abstract instance, the definition and the declaration are four steps. A cycle would have no end.
constexpr int longest_way = 16;

// The attributes of an entry about its name.
struct NameAttributes {
  TextPlace linkage, plain;
  EntryReference origin;
  bool has_origin = false;
};

TextPlace in_supplementary(TextPlace place) {
  switch (place.section) {
    case TextPlace::info:
      return {TextPlace::alternate_info, place.offset};
    case TextPlace::str:
      return {TextPlace::alternate_str, place.offset};
    case TextPlace::line_str:
      return {TextPlace::alternate_line_str, place.offset};
    default:
      return {};
  }
}

// `home`: the unit of the reference; the entry may be in another unit.
NameAttributes read_names(const Unit& home, const InfoFile& file, std::uint64_t offset, bool supplementary) {
  NameAttributes names;
  const UnitHeader* header = file.unit_at(offset);
  if (header == nullptr) return names;
  const auto table = file.abbreviations(*header);
  DwarfReader in(file.sections().info.first(header->end), file.sections().order, offset);
  const Abbreviation* abbreviation = table->find(in.uleb128());
  if (abbreviation == nullptr) return names;

  const bool at_home = &file == home.file && header->offset == home.header.offset;
  const auto place = [&](const Value& value) {
    // Only indices need more of the unit than its header.
    const bool needs_root = value.kind == ValueKind::str_index && !at_home;
    const TextPlace found = needs_root ? file.unit(*header).text_place(value) : home.text_place(value);
    return supplementary ? in_supplementary(found) : found;
  };
  read_attributes(in, *table, *abbreviation, [&](std::uint16_t name, const Value& value) {
    switch (name) {
      case DW_AT_linkage_name:
      case DW_AT_MIPS_linkage_name:
        names.linkage = place(value);
        break;
      case DW_AT_name:
        names.plain = place(value);
        break;
      case DW_AT_abstract_origin:
      case DW_AT_specification:
        names.has_origin = value.kind == ValueKind::unit_reference || value.kind == ValueKind::info_reference ||
                           value.kind == ValueKind::alternate_reference;
        names.origin = {value.number + (value.kind == ValueKind::unit_reference ? header->offset : 0),
                        supplementary || value.kind == ValueKind::alternate_reference};
        break;
      default:
        break;
    }
  });
  return in.ok() ? names : NameAttributes{};
}

}  // namespace

FunctionName find_name(const Unit& unit, const EntryReference& entry) {
  FunctionName best;
  EntryReference at = entry;
  for (int step = 0; step < longest_way; ++step) {
    const InfoFile* file = at.alternate ? unit.file->supplementary() : unit.file;
    if (file == nullptr) break;
    const NameAttributes names = read_names(unit, *file, at.offset, at.alternate);
    if (names.linkage) return {names.linkage, true};
    if (!best.place) best.place = names.plain;
    if (!names.has_origin) break;
    at = names.origin;
  }
  return best;
}

}  // namespace perfsift::symbolize::dwarf
