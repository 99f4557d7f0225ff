#include "symbolize/dwarf/scope_table.h"

#include <algorithm>
#include <unordered_map>

#include <dwarf.h>

namespace perfsift::symbolize::dwarf {

namespace {

class ScopeReader {
 public:
  ScopeReader(const Unit& unit, const CodeSections& code)
      : unit_(unit), code_(code), table_(unit.file->abbreviations(unit.header)) {}

  ScopeTable read();

 private:
  std::uint32_t read_scope(DwarfReader& in, std::uint64_t entry, const Abbreviation& abbreviation,
                           std::uint32_t enclosing);
  std::uint32_t number_of(const EntryReference& entry);
  EntryReference reference(const Value& value) const;

  const Unit& unit_;
  const CodeSections& code_;
  std::shared_ptr<const AbbreviationTable> table_;
  ScopeTable result_;
  std::vector<OwnedRange> ranges_;
  std::vector<AddressRange> found_;
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
};

bool is_function(const Abbreviation& abbreviation) {
  return abbreviation.tag == DW_TAG_subprogram || abbreviation.tag == DW_TAG_inlined_subroutine;
}

ScopeTable ScopeReader::read() {
  const DebugSections& sections = unit_.file->sections();
  DwarfReader in(sections.info.first(unit_.header.end), sections.order, unit_.header.first_entry);
  std::vector<std::uint32_t> enclosing;  // of each open list of children, the scope it is in
  std::uint32_t current = Scope::none;
  while (in.remaining() != 0) {
    const std::uint64_t entry = in.position();
    const std::uint64_t code = in.uleb128();
    if (code == 0) {
      if (enclosing.empty()) break;
      current = enclosing.back();
      enclosing.pop_back();
      continue;
    }
    const Abbreviation* abbreviation = table_->find(code);
    if (abbreviation == nullptr) break;
    std::uint32_t scope = abbreviation->tag == DW_TAG_subprogram ? Scope::none : current;
    if (is_function(*abbreviation) && abbreviation->has_ranges)
      scope = read_scope(in, entry, *abbreviation, current);
    else
      table_->skip(in, *abbreviation);
    if (abbreviation->has_children) {
      enclosing.push_back(current);
      current = scope;
    }
  }
  result_.innermost = Cover(std::move(ranges_));
  return std::move(result_);
}

std::uint32_t ScopeReader::read_scope(DwarfReader& in, std::uint64_t entry, const Abbreviation& abbreviation,
                                      std::uint32_t enclosing) {
  Scope scope;
  if (abbreviation.tag == DW_TAG_inlined_subroutine) scope.parent = enclosing;
  RangeAttributes where;
  Value origin;
  bool has_name = false;
  read_attributes(in, *table_, abbreviation, [&](std::uint16_t name, const Value& value) {
    switch (name) {
      case DW_AT_low_pc:
        where.low_pc = value;
        break;
      case DW_AT_high_pc:
        where.high_pc = value;
        break;
      case DW_AT_ranges:
        where.ranges = value;
        break;
      case DW_AT_call_file:
        scope.call_file = at_most_32_bits(value.number);
        break;
      case DW_AT_call_line:
        scope.call_line = at_most_32_bits(value.number);
        break;
      case DW_AT_call_column:
        scope.call_column = at_most_32_bits(value.number);
        break;
      case DW_AT_abstract_origin:
      case DW_AT_specification:
        origin = value;
        break;
      case DW_AT_linkage_name:
      case DW_AT_MIPS_linkage_name:
      case DW_AT_name:
        has_name = true;
        break;
      default:
        break;
    }
  });
  if (!in.ok()) return Scope::none;

  found_.clear();
  read_ranges(unit_, where, code_, found_);
  const auto index = static_cast<std::uint32_t>(result_.scopes.size());
  for (const AddressRange& range : found_) ranges_.push_back({range.start, range.end, index});
  scope.name = number_of(origin && !has_name ? reference(origin) : EntryReference{entry});
  result_.scopes.push_back(scope);
  return index;
}

// Thousands of calls of one small function lead to one name.
std::uint32_t ScopeReader::number_of(const EntryReference& entry) {
  const std::uint64_t key = entry.offset << 1 | (entry.alternate ? 1 : 0);
  const auto [known, added] = numbers_.try_emplace(key, static_cast<std::uint32_t>(result_.named.size()));
  if (added) result_.named.push_back(entry);
  return known->second;
}

EntryReference ScopeReader::reference(const Value& value) const {
  if (value.kind == ValueKind::unit_reference) return {unit_.header.offset + value.number};
  return {value.number, value.kind == ValueKind::alternate_reference};
}

}  // namespace

ScopeTable read_scopes(const Unit& unit, const CodeSections& code) { return ScopeReader(unit, code).read(); }

}  // namespace perfsift::symbolize::dwarf
