// Split DWARF: the part of a unit that the linker never saw, in a file of its own (.dwo) or in a package of them
// (.dwp).
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "symbolize/dwarf/unit.h"
#include "symbolize/elf/debug_sections.h"
#include "symbolize/search/symbolize_options.h"

namespace perfsift::symbolize::dwarf {

// A package of split units and the index in it (.debug_cu_index, of DWARF 5 or the GNU one before it).
class SplitPackage {
 public:
  explicit SplitPackage(std::shared_ptr<ElfFile> file) : file_(std::move(file), SectionKind::split) {}
  // The sections of one unit; nothing if the package does not have the unit.
  std::optional<DebugSections> unit(std::uint64_t split_id) const;
  const ElfFile& elf() const { return file_.elf(); }

 private:
  DebugSectionFile file_;
};

// A split unit and the file that it was found in. Both live as long as the SplitUnits.
struct SplitUnit {
  Unit unit;
  const ElfFile* file = nullptr;
};

// Thread-safe.
class SplitUnits {
 public:
  // `file`: has the skeletons. `program`: the path of the program, beside which packages and .dwo files may lie.
  SplitUnits(const ElfFile& file, const std::string& program, const SymbolizeOptions& options);

  // The split unit of a skeleton in the program; nothing if it cannot be found.
  std::optional<SplitUnit> find(const Unit& skeleton);

 private:
  std::optional<SplitUnit> in_package(const Unit& skeleton);
  std::shared_ptr<ElfFile> find_package() const;
  std::optional<SplitUnit> in_file(const Unit& skeleton);
  std::optional<SplitUnit> in_file(const Unit& skeleton, std::shared_ptr<ElfFile> elf);
  std::vector<std::string> paths_of(const Unit& skeleton) const;

  std::vector<std::string> packages_;
  std::string folder_, symfs_;
  std::string package_purpose_;
  std::shared_ptr<const PackedFiles> packed_;
  std::shared_ptr<UsedFiles> used_;
  std::mutex mutex_;
  bool package_sought_ = false;
  std::unique_ptr<SplitPackage> package_;
  std::vector<std::unique_ptr<DebugSectionFile>> files_;
  std::vector<std::unique_ptr<InfoFile>> infos_;
};

}  // namespace perfsift::symbolize::dwarf
