// The compilation units of a file, read from its DWARF. Opening it unpacks the sections and reads the root entry of
// each unit; its tables are made one unit at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "symbolize/dwarf/split_units.h"
#include "symbolize/dwarf/unit_tables.h"
#include "symbolize/search/symbolize_options.h"

namespace perfsift::symbolize::dwarf {

// Reading is thread-safe. Strings in tables live as long as the object.
class DwarfUnits {
 public:
  // The arguments are those of DebugInfo::open(); `supplementary` may be null.
  DwarfUnits(std::shared_ptr<ElfFile> file, std::shared_ptr<ElfFile> supplementary, const std::string& program,
             const SymbolizeOptions& options);

  // Maps addresses to the numbers of their units. May be taken once.
  Cover take_cover() { return std::move(cover_); }
  std::uint32_t count() const { return static_cast<std::uint32_t>(units_.size()); }

  struct Read {
    UnitTables tables;
    bool complete = true;    // false: its split part was not found, but may be the next time
    std::string split_file;  // in words, as file_in_words() says; empty: all of it is in the file itself
  };
  // The tables of a unit. Call it once for each unit.
  Read read(std::uint32_t number);
  // A unit as it is in the file, and the unit with its entries: the same, or the split unit that the first stands for.
  struct Parts {
    Unit unit, entries;
    const ElfFile* split_file = nullptr;
    bool complete = true;  // false: the split unit was not found
  };
  Parts parts(std::uint32_t number) { return parts(units_[count() - 1 - number]); }
  const CodeSections& code() const { return code_; }
  const ElfFile& elf() const { return file_.sections.elf(); }
  // Bytes of .debug_info in the file and its supplementary file.
  std::uint64_t info_size() const;
  // Whether every reading of the file gives the same cover and count.
  bool lasting() const { return lasting_; }

 private:
  // A file's sections and the units in them.
  struct LoadedFile {
    explicit LoadedFile(std::shared_ptr<ElfFile> elf, const InfoFile* supplementary = nullptr)
        : sections(std::move(elf), SectionKind::usual), info(sections.sections(), supplementary) {}

    DebugSectionFile sections;
    InfoFile info;
  };

  void add_unit(const UnitHeader& header, std::vector<OwnedRange>& ranges);
  Parts parts(const Unit& unit);
  Read read(const Unit& unit);

  std::unique_ptr<LoadedFile> supplementary_;
  LoadedFile file_;
  CodeSections code_;
  SplitUnits split_;
  std::vector<Unit> units_;                        // in the order of the file
  std::unordered_map<std::uint32_t, Read> early_;  // read to see where they are; by the index in units_
  Cover cover_;
  bool lasting_ = true;
};

}  // namespace perfsift::symbolize::dwarf
