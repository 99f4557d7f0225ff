// The variables of a file that have an address: globals, and static variables of functions and classes.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

#include "symbolize/dwarf/data_type.h"
#include "symbolize/dwarf/dwarf_units.h"
#include "symbolize/dwarf/line_table.h"
#include "symbolize/dwarf/source_variable.h"

namespace perfsift::symbolize::dwarf {

// Thread-safe.
class Variables {
 public:
  // Reads all entries of all units once. `units` must live longer.
  explicit Variables(DwarfUnits& units);

  // See DebugInfo::find_variable().
  std::optional<SourceVariable> find(std::uint64_t address);

 private:
  struct Place {
    std::uint64_t address = 0;
    std::uint64_t entry = 0;  // offset in the file of the unit
    std::uint32_t unit = 0;   // index into units_
  };
  // The joint information of an entry and the entries to which it refers.
  struct Described {
    std::string_view name;
    EntryPlace type;
    const Unit* declared_in = nullptr;  // the unit whose files `file` counts
    std::uint64_t file = 0, line = 0;
  };

  void read_unit(std::uint32_t number);
  Described describe(const EntryPlace& place);
  std::optional<SourceVariable> variable_at(const Place& place, std::uint64_t address);
  std::string_view path_of_file(const Described& variable, const Unit& skeleton);

  const CodeSections& code_;
  std::vector<DwarfUnits::Parts> units_;
  std::vector<Place> places_;  // by address

  std::mutex mutex_;  // of what follows
  DataEntries entries_;
  DataTypes types_;
  std::map<EntryPlace, LineTable> line_tables_;  // by the places of the units
};

}  // namespace perfsift::symbolize::dwarf
