#include "symbolize/dwarf/split_units.h"

#include <bit>

#include <dwarf.h>
#include <fmt/format.h>

#include "base/path.h"
#include "symbolize/search/used_files.h"

namespace perfsift::symbolize::dwarf {

namespace {

// DW_SECT_…, as numbered in .debug_cu_index. Version 2 is GNU's, before DWARF 5.
enum Column : std::uint32_t { sect_info = 1, sect_abbrev = 3, sect_line = 4, sect_str_offsets = 6, sect_rnglists = 8 };

struct UnitIndex {
  std::uint32_t version = 0, columns = 0, units = 0, slots = 0;
  Bytes hashes, rows, section_ids, offsets, sizes;
};

std::optional<UnitIndex> read_index(Bytes section, ByteOrder order) {
  DwarfReader in(section, order);
  UnitIndex index;
  index.version = in.u32();
  if (index.version != 2) {  // in DWARF 5 the version has 16 bits
    in = DwarfReader(section, order);
    index.version = in.u16();
    in.skip(2);
    if (index.version != 5) return std::nullopt;
  }
  index.columns = in.u32();
  index.units = in.u32();
  index.slots = in.u32();
  index.hashes = in.bytes(std::uint64_t{8} * index.slots);
  index.rows = in.bytes(std::uint64_t{4} * index.slots);
  index.section_ids = in.bytes(std::uint64_t{4} * index.columns);
  if (index.columns > 16) return std::nullopt;  // there are eight kinds of sections
  index.offsets = in.bytes(std::uint64_t{4} * index.columns * index.units);
  index.sizes = in.bytes(std::uint64_t{4} * index.columns * index.units);
  return in.ok() && std::has_single_bit(index.slots) ? std::optional(index) : std::nullopt;
}

std::uint32_t u32_at(Bytes table, std::uint64_t index, ByteOrder order) {
  return DwarfReader(table, order, 4 * index).u32();
}

// The row of a unit, counted from 1; 0 if there is none. The standard prescribes the hash table.
std::uint32_t row_of(const UnitIndex& index, std::uint64_t id, ByteOrder order) {
  const std::uint64_t mask = index.slots - 1;
  const std::uint64_t step = ((id >> 32) & mask) | 1;
  std::uint64_t slot = id & mask;
  for (std::uint32_t tried = 0; tried < index.slots; ++tried, slot = (slot + step) & mask) {
    const std::uint32_t row = u32_at(index.rows, slot, order);
    if (row == 0 || row > index.units) return 0;
    if (DwarfReader(index.hashes, order, 8 * slot).u64() == id) return row;
  }
  return 0;
}

Bytes part(Bytes section, std::uint32_t offset, std::uint32_t size) {
  if (offset > section.size() || size > section.size() - offset) return {};
  return section.subspan(offset, size);
}

// The unit with an id, completed by attributes that only its skeleton has.
std::optional<Unit> unit_with_id(const InfoFile& info, const Unit& skeleton) {
  for (const UnitHeader& header : info.units()) {
    if (!header.is_known() || (header.type != DW_UT_compile && header.type != DW_UT_split_compile)) continue;
    Unit unit = info.unit(header);
    if (unit.root.tag != DW_TAG_compile_unit || unit.root.split_id != skeleton.root.split_id) continue;
    unit.program = skeleton.program;
    unit.root.addr_base = skeleton.root.addr_base;
    unit.root.gnu_ranges_base = skeleton.root.gnu_ranges_base;
    unit.base_address = skeleton.base_address;
    return unit;
  }
  return std::nullopt;
}

}  // namespace

std::optional<DebugSections> SplitPackage::unit(std::uint64_t split_id) const {
  DebugSections sections = file_.sections();
  const ByteOrder order = sections.order;
  const auto index = read_index(sections.cu_index, order);
  const std::uint32_t row = index ? row_of(*index, split_id, order) : 0;
  if (row == 0) return std::nullopt;
  for (std::uint32_t column = 0; column < index->columns; ++column) {
    const std::uint64_t cell = std::uint64_t{row - 1} * index->columns + column;
    const std::uint32_t offset = u32_at(index->offsets, cell, order), size = u32_at(index->sizes, cell, order);
    const auto narrow = [&](Bytes& section) { section = part(section, offset, size); };
    switch (u32_at(index->section_ids, column, order)) {
      case sect_info:
        narrow(sections.info);
        break;
      case sect_abbrev:
        narrow(sections.abbrev);
        break;
      case sect_line:
        narrow(sections.line);
        break;
      case sect_str_offsets:
        narrow(sections.str_offsets);
        break;
      case sect_rnglists:
        if (index->version == 5) narrow(sections.rnglists);
        break;
      default:
        break;
    }
  }
  return sections;
}

SplitUnits::SplitUnits(const ElfFile& file, const std::string& program, const SymbolizeOptions& options)
    : packages_({program + ".dwp", file.path() + ".dwp"}),
      folder_(folder_of(program)),
      symfs_(options.symfs),
      package_purpose_(purpose_of(split_package_role, fmt::format("{} {}", file.build_id().hex(), base_name(program)))),
      packed_(file.packed()),
      used_(options.used) {}

std::shared_ptr<ElfFile> SplitUnits::find_package() const {
  if (auto packed = packed_elf(packed_, package_purpose_)) return packed;
  for (const std::string& path : packages_) {
    Missing ignored;
    if (auto file = ElfFile::open(path, ignored)) return file;
  }
  return nullptr;
}

std::optional<SplitUnit> SplitUnits::find(const Unit& skeleton) {
  const std::lock_guard lock(mutex_);
  if (auto unit = in_package(skeleton)) return unit;
  return in_file(skeleton);
}

std::optional<SplitUnit> SplitUnits::in_package(const Unit& skeleton) {
  if (!package_sought_) {
    package_sought_ = true;
    std::shared_ptr<ElfFile> file = find_package();
    if (used_) used_->add(package_purpose_, file);
    if (file) package_ = std::make_unique<SplitPackage>(std::move(file));
  }
  const auto sections = package_ ? package_->unit(skeleton.root.split_id) : std::nullopt;
  if (!sections) return std::nullopt;
  infos_.push_back(std::make_unique<InfoFile>(*sections));
  const auto unit = unit_with_id(*infos_.back(), skeleton);
  return unit ? std::optional(SplitUnit{*unit, &package_->elf()}) : std::nullopt;
}

std::optional<SplitUnit> SplitUnits::in_file(const Unit& skeleton) {
  const std::string purpose = purpose_of(split_unit_role, fmt::format("{:016x}", skeleton.root.split_id));
  const auto in = [&](const std::shared_ptr<ElfFile>& elf) {
    auto unit = in_file(skeleton, elf);
    if (unit && used_) used_->add(purpose, elf);
    return unit;
  };
  if (auto unit = in(packed_elf(packed_, purpose))) return unit;
  for (const std::string& path : paths_of(skeleton)) {
    Missing ignored;
    if (auto unit = in(ElfFile::open(path, ignored))) return unit;
  }
  return std::nullopt;
}

// Nothing if there is no file, or if it is of another build.
std::optional<SplitUnit> SplitUnits::in_file(const Unit& skeleton, std::shared_ptr<ElfFile> elf) {
  if (!elf) return std::nullopt;
  auto file = std::make_unique<DebugSectionFile>(std::move(elf), SectionKind::split);
  auto info = std::make_unique<InfoFile>(file->sections());
  const auto unit = unit_with_id(*info, skeleton);
  if (!unit) return std::nullopt;
  files_.push_back(std::move(file));
  infos_.push_back(std::move(info));
  return SplitUnit{*unit, &files_.back()->elf()};
}

// The path that the compiler wrote, and a path beside the program.
std::vector<std::string> SplitUnits::paths_of(const Unit& skeleton) const {
  const std::string name(skeleton.text(skeleton.root.split_name));
  if (name.empty()) return {};
  std::vector<std::string> paths;
  if (name.starts_with('/')) {
    paths.push_back(symfs_ + name);
  } else {
    const std::string directory(skeleton.text(skeleton.root.directory));
    paths.push_back(symfs_ + directory + '/' + name);
    paths.push_back(folder_ + name);
  }
  paths.push_back(folder_ + std::string(base_name(name)));
  return paths;
}

}  // namespace perfsift::symbolize::dwarf
