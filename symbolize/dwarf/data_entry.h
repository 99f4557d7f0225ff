// The entries of variables and of their types.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string_view>

#include "symbolize/dwarf/budget.h"
#include "symbolize/dwarf/unit.h"

namespace perfsift::symbolize::dwarf {

// An entry of a file: of the program, of a split unit or of the supplementary file.
struct EntryPlace {
  const InfoFile* file = nullptr;  // nullptr: no entry
  std::uint64_t offset = 0;

  explicit operator bool() const { return file != nullptr; }
  auto operator<=>(const EntryPlace&) const = default;
};

// An attribute whose value is computed while the program runs counts as missing.
struct DataEntry {
  const Unit* unit = nullptr;
  std::uint16_t tag = 0;  // DW_TAG_…
  bool has_children = false;
  std::uint64_t end = 0;  // offset of the entry's children, or of the next entry

  std::string_view name;
  EntryPlace type;
  EntryPlace origin;  // DW_AT_specification or DW_AT_abstract_origin
  std::optional<std::uint64_t> byte_size, bit_size, byte_stride;
  std::optional<std::uint64_t> count, lower_bound, upper_bound;
  std::optional<std::uint64_t> member_location, bit_offset, data_bit_offset;
  bool moves = false;  // the member's location is computed while the program runs
  bool has_bit_stride = false;
  bool declaration = false;
  std::optional<std::uint64_t> file;  // of the unit's line table; DWARF 5 counts from 0
  std::uint64_t line = 0;
  std::uint64_t language = 0;
};

// Not thread-safe. Entries live as long as the object, and the object must not outlive the files.
class DataEntries {
 public:
  // `bytes`: of all debug information. Hostile files refer to the same entries again and again.
  explicit DataEntries(std::uint64_t bytes) : budget_(4096 + most_readings * bytes) {}

  // Nothing if there is no valid entry.
  std::optional<DataEntry> read(const EntryPlace& place);
  // Calls `visit` for each child, in the order of the file.
  void visit_children(const DataEntry& entry, const std::function<void(const DataEntry& child)>& visit);
  // The root of the unit of an entry.
  std::optional<DataEntry> root(const DataEntry& entry) {
    return read({entry.unit->file, entry.unit->header.first_entry});
  }

 private:
  // A sound file's entries are read a few times: a type once for each member that has the type.
  static constexpr std::uint64_t most_readings = 64;

  struct OpenUnit {
    Unit unit;
    std::shared_ptr<const AbbreviationTable> table;
  };
  const OpenUnit* unit_at(const EntryPlace& place);
  DataEntry read_attributes_of(DwarfReader& in, const Abbreviation& abbreviation, const OpenUnit& home) const;

  Budget budget_;
  std::map<EntryPlace, OpenUnit> units_;  // by the places of their headers
};

}  // namespace perfsift::symbolize::dwarf
