#include "symbolize/dwarf/unit.h"

#include <algorithm>

#include <dwarf.h>

namespace perfsift::symbolize::dwarf {

namespace {

// Abbreviations and lists are read about once; the rest of the budget is for second looks.
constexpr std::uint64_t budget_for(std::size_t section_size) { return 4096 + std::uint64_t{4} * section_size; }

void read_header_of_5(DwarfReader& in, UnitHeader& header) {
  header.type = in.u8();
  header.sizes.address_size = in.u8();
  header.abbreviations = in.number(header.sizes.offset_size);
  if (header.type == DW_UT_skeleton || header.type == DW_UT_split_compile) header.split_id = in.u64();
  if (header.type == DW_UT_type || header.type == DW_UT_split_type)
    in.skip(8 + std::uint64_t{header.sizes.offset_size});
}

void read_header_before_5(DwarfReader& in, UnitHeader& header) {
  header.type = DW_UT_compile;
  header.abbreviations = in.number(header.sizes.offset_size);
  header.sizes.address_size = in.u8();
}

// The value at `index` in a table of values of one size.
std::optional<std::uint64_t> entry_of_table(Bytes section, ByteOrder order, std::uint64_t base, std::uint64_t index,
                                            unsigned size) {
  if (size == 0 || index > section.size() / size) return std::nullopt;
  if (base > section.size()) return std::nullopt;
  DwarfReader in(section, order, base + index * size);
  const std::uint64_t value = in.number(size);
  return in.ok() ? std::optional(value) : std::nullopt;
}

std::string_view text_at(Bytes section, std::uint64_t offset) {
  return offset < section.size() ? c_string(section.subspan(offset)) : std::string_view{};
}

}  // namespace

std::optional<UnitHeader> read_unit_header(DwarfReader& info) {
  if (info.remaining() == 0) return std::nullopt;
  UnitHeader header{.offset = info.position()};
  const auto [length, offset_size] = info.unit_length();
  if (length > info.remaining()) return std::nullopt;
  header.end = info.position() + length;
  header.sizes.offset_size = offset_size;
  header.sizes.version = info.u16();
  if (!header.is_known()) return info.ok() ? std::optional(header) : std::nullopt;
  if (header.sizes.version == 5)
    read_header_of_5(info, header);
  else
    read_header_before_5(info, header);
  header.first_entry = info.position();
  if (header.first_entry > header.end) header.sizes.version = 0;
  return info.ok() ? std::optional(header) : std::nullopt;
}

std::optional<std::uint64_t> Unit::address(const Value& value) const {
  if (value.kind == ValueKind::address) return value.number;
  if (value.kind != ValueKind::address_index) return std::nullopt;
  const DebugSections& sections = program->sections();
  return entry_of_table(sections.addr, sections.order, root.addr_base, value.number, header.sizes.address_size);
}

TextPlace Unit::text_place(const Value& value) const {
  switch (value.kind) {
    case ValueKind::info_string:
      return {TextPlace::info, value.number};
    case ValueKind::str_offset:
      return {TextPlace::str, value.number};
    case ValueKind::line_str_offset:
      return {TextPlace::line_str, value.number};
    case ValueKind::alternate_str:
      return {TextPlace::alternate_str, value.number};
    case ValueKind::str_index: {
      const DebugSections& sections = file->sections();
      const auto offset = entry_of_table(sections.str_offsets, sections.order, root.str_offsets_base, value.number,
                                         header.sizes.offset_size);
      return offset ? TextPlace{TextPlace::str, *offset} : TextPlace{};
    }
    default:
      return {};
  }
}

std::string_view Unit::text(const TextPlace& place) const {
  static const DebugSections nothing;
  const DebugSections& own = file->sections();
  const DebugSections& other = file->supplementary() == nullptr ? nothing : file->supplementary()->sections();
  switch (place.section) {
    case TextPlace::nowhere:
      return {};
    case TextPlace::info:
      return text_at(own.info, place.offset);
    case TextPlace::str:
      return text_at(own.str, place.offset);
    case TextPlace::line_str:
      return text_at(own.line_str, place.offset);
    case TextPlace::alternate_info:
      return text_at(other.info, place.offset);
    case TextPlace::alternate_str:
      return text_at(other.str, place.offset);
    case TextPlace::alternate_line_str:
      return text_at(other.line_str, place.offset);
  }
  return {};
}

InfoFile::InfoFile(const DebugSections& sections, const InfoFile* supplementary)
    : sections_(sections),
      supplementary_(supplementary),
      abbreviation_budget_(budget_for(sections.abbrev.size())),
      range_budget_(budget_for(sections.ranges.size() + sections.rnglists.size())),
      line_budget_(budget_for(sections.line.size())) {
  DwarfReader in(sections_.info, sections_.order);
  while (const auto header = read_unit_header(in)) {
    units_.push_back(*header);
    in = DwarfReader(sections_.info, sections_.order, header->end);
  }
}

const UnitHeader* InfoFile::unit_at(std::uint64_t offset) const {
  const auto after = std::ranges::upper_bound(units_, offset, {}, &UnitHeader::offset);
  if (after == units_.begin()) return nullptr;
  const UnitHeader& unit = *std::prev(after);
  return unit.is_known() && offset >= unit.first_entry && offset < unit.end ? &unit : nullptr;
}

Unit InfoFile::unit(const UnitHeader& header) const {
  Unit unit{.file = this, .program = this, .header = header};
  unit.root.split_id = header.split_id;
  if (!header.is_known()) return unit;
  read_root(unit);
  unit.base_address = unit.address(unit.root.low_pc).value_or(0);
  return unit;
}

void InfoFile::read_root(Unit& unit) const {
  const UnitHeader& header = unit.header;
  DwarfReader in(sections_.info.first(header.end), sections_.order, header.first_entry);
  const std::uint64_t code = in.uleb128();
  // The root's abbreviation is nearly always the first of its table, so the table is not read whole for it.
  AbbreviationTable first(sections_.abbrev, sections_.order, header.abbreviations, header.sizes, abbreviation_budget_,
                          1);
  std::shared_ptr<const AbbreviationTable> all;
  const AbbreviationTable* table = &first;
  const Abbreviation* abbreviation = table->find(code);
  if (abbreviation == nullptr) {
    all = abbreviations(header);
    table = all.get();
    abbreviation = table->find(code);
  }
  if (abbreviation == nullptr) return;

  UnitRoot& root = unit.root;
  root.tag = abbreviation->tag;
  if (header.sizes.version >= 5) {
    root.str_offsets_base = root.addr_base = std::uint64_t{2} * header.sizes.offset_size;
    root.rnglists_base = std::uint64_t{2} * header.sizes.offset_size + 4;
  }
  read_attributes(in, *table, *abbreviation, [&](std::uint16_t name, const Value& value) {
    switch (name) {
      case DW_AT_low_pc:
        root.low_pc = value;
        break;
      case DW_AT_high_pc:
        root.high_pc = value;
        break;
      case DW_AT_ranges:
        root.ranges = value;
        break;
      case DW_AT_stmt_list:
        root.line_table = value;
        break;
      case DW_AT_name:
        root.name = value;
        break;
      case DW_AT_comp_dir:
        root.directory = value;
        break;
      case DW_AT_producer:
        root.producer = value;
        break;
      case DW_AT_dwo_name:
      case DW_AT_GNU_dwo_name:
        root.split_name = value;
        break;
      case DW_AT_GNU_dwo_id:
        root.split_id = value.number;
        break;
      case DW_AT_str_offsets_base:
        root.str_offsets_base = value.number;
        break;
      case DW_AT_addr_base:
      case DW_AT_GNU_addr_base:
        root.addr_base = value.number;
        break;
      case DW_AT_rnglists_base:
        root.rnglists_base = value.number;
        break;
      case DW_AT_GNU_ranges_base:
        root.gnu_ranges_base = value.number;
        break;
      default:
        break;
    }
  });
  if (!in.ok()) root = {};
}

std::shared_ptr<const AbbreviationTable> InfoFile::abbreviations(const UnitHeader& header) const {
  const std::lock_guard lock(mutex_);
  const auto [first, last] = tables_.equal_range(header.abbreviations);
  const auto same_sizes = [&](const auto& entry) { return entry.second->sizes() == header.sizes; };
  if (const auto known = std::find_if(first, last, same_sizes); known != last) return known->second;
  return tables_
      .emplace(header.abbreviations,
               std::make_shared<AbbreviationTable>(sections_.abbrev, sections_.order, header.abbreviations,
                                                   header.sizes, abbreviation_budget_))
      ->second;
}

}  // namespace perfsift::symbolize::dwarf
