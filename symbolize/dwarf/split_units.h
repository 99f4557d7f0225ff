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
  // `packages`: possible paths of the package. `folder`: the program's folder, where .dwo files may have been moved.
  SplitUnits(std::vector<std::string> packages, std::string folder, std::string symfs)
      : packages_(std::move(packages)), folder_(std::move(folder)), symfs_(std::move(symfs)) {}

  // The split unit of a skeleton in the program; nothing if it cannot be found.
  std::optional<SplitUnit> find(const Unit& skeleton);

 private:
  std::optional<SplitUnit> in_package(const Unit& skeleton);
  std::optional<SplitUnit> in_file(const Unit& skeleton);
  std::vector<std::string> paths_of(const Unit& skeleton) const;

  std::vector<std::string> packages_;
  std::string folder_, symfs_;
  std::mutex mutex_;
  bool package_sought_ = false;
  std::unique_ptr<SplitPackage> package_;
  std::vector<std::unique_ptr<DebugSectionFile>> files_;
  std::vector<std::unique_ptr<InfoFile>> infos_;
};

}  // namespace perfsift::symbolize::dwarf
