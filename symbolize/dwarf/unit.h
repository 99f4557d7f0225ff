// A unit of .debug_info, and the attributes of its root entry that concern all entries.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "symbolize/dwarf/abbreviations.h"
#include "symbolize/elf/debug_sections.h"

namespace perfsift::symbolize::dwarf {

// Offsets count from the start of .debug_info.
struct UnitHeader {
  std::uint64_t offset = 0;
  std::uint64_t first_entry = 0;
  std::uint64_t end = 0;
  std::uint64_t abbreviations = 0;  // offset in .debug_abbrev
  std::uint64_t split_id = 0;       // which skeleton and split unit belong together; 0 where the header does not say
  UnitSizes sizes;
  std::uint8_t type = 0;  // DW_UT_…; that of a unit before DWARF 5 is DW_UT_compile

  // Whether the version is known.
  bool is_known() const { return sizes.version >= 2 && sizes.version <= 5; }
};

// The next unit; nothing at the end, and if the rest of the section is invalid.
std::optional<UnitHeader> read_unit_header(DwarfReader& info);

// The attributes of a root entry.
struct UnitRoot {
  std::uint16_t tag = 0;
  std::uint64_t split_id = 0;
  Value low_pc, high_pc, ranges;
  Value line_table;
  Value name, directory, split_name, producer;
  // The start of the unit's part of a section: behind the header of the first part, unless an attribute says otherwise,
  // as in split units.
  std::uint64_t str_offsets_base = 0, addr_base = 0, rnglists_base = 0;
  std::uint64_t gnu_ranges_base = 0;
};

// The position of a text. It fits, with a mark, into 64 bits.
struct TextPlace {
  enum Section : std::uint8_t { nowhere, info, str, line_str, alternate_info, alternate_str, alternate_line_str };
  Section section = nowhere;
  std::uint64_t offset = 0;

  explicit operator bool() const { return section != nowhere; }
};

class InfoFile;

// A unit with everything that its values need. Plain data; the InfoFiles must outlive it.
struct Unit {
  const InfoFile* file = nullptr;
  const InfoFile* program =
      nullptr;  // of a split unit: the file that has addresses and version 4's ranges; else `file`
  UnitHeader header;
  UnitRoot root;
  std::uint64_t base_address = 0;

  std::optional<std::uint64_t> address(const Value& value) const;
  TextPlace text_place(const Value& value) const;
  // The text itself; empty if there is none.
  std::string_view text(const TextPlace& place) const;
  std::string_view text(const Value& value) const { return text(text_place(value)); }
};

// The units of a file, and their abbreviations. Thread-safe.
class InfoFile {
 public:
  // `supplementary`: the file that this file refers to, or nullptr. It must outlive the object.
  explicit InfoFile(const DebugSections& sections, const InfoFile* supplementary = nullptr);
  InfoFile(const InfoFile&) = delete;
  InfoFile& operator=(const InfoFile&) = delete;

  const DebugSections& sections() const { return sections_; }
  const InfoFile* supplementary() const { return supplementary_; }
  const std::vector<UnitHeader>& units() const { return units_; }
  // The unit that an offset lies in, or nullptr.
  const UnitHeader* unit_at(std::uint64_t offset) const;

  // The unit with the attributes of its root.
  Unit unit(const UnitHeader& header) const;
  std::shared_ptr<const AbbreviationTable> abbreviations(const UnitHeader& header) const;

  Budget& range_budget() const { return range_budget_; }
  Budget& line_budget() const { return line_budget_; }

 private:
  void read_root(Unit& unit) const;

  DebugSections sections_;
  const InfoFile* supplementary_;
  std::vector<UnitHeader> units_;
  mutable Budget abbreviation_budget_, range_budget_, line_budget_;
  mutable std::mutex mutex_;
  mutable std::unordered_multimap<std::uint64_t, std::shared_ptr<const AbbreviationTable>> tables_;
};

// Reads the attributes of an entry; `in` stands after its code. `visit(name, value)`.
template <typename Visit>
void read_attributes(DwarfReader& in, const AbbreviationTable& table, const Abbreviation& abbreviation, Visit&& visit) {
  for (const Attribute& attribute : table.attributes(abbreviation))
    visit(attribute.name, read_value(in, attribute.form, attribute.implicit, table.sizes()));
}

}  // namespace perfsift::symbolize::dwarf
