#include "symbolize/dwarf/variables.h"

#include <algorithm>

#include <dwarf.h>

namespace perfsift::symbolize::dwarf {

namespace {

// A definition, its declaration in a class, and the abstract entry of an inlined function's variable are three.
constexpr unsigned most_origins = 16;

// The memory that a file occupies when it runs. A linker that drops a variable leaves its entry with address 0.
Cover loaded_sections(const ElfFile& file) {
  std::vector<OwnedRange> ranges;
  for (const ElfFile::Section& section : file.sections()) {
    const GElf_Shdr& header = section.header;
    const bool counts = (header.sh_flags & SHF_ALLOC) != 0 && (header.sh_flags & SHF_TLS) == 0;
    if (counts && header.sh_size <= ~header.sh_addr)
      ranges.push_back({header.sh_addr, header.sh_addr + header.sh_size, 0});
  }
  return Cover(std::move(ranges));
}

// The address that an expression gives without registers and memory: DW_OP_addr, and a constant that is added. All
// other expressions belong to variables of stacks, registers and threads.
std::optional<std::uint64_t> fixed_address(Bytes expression, const Unit& unit) {
  DwarfReader in(expression, unit.file->sections().order);
  std::optional<std::uint64_t> address;
  switch (in.u8()) {
    case DW_OP_addr:
      address = in.number(unit.header.sizes.address_size);
      break;
    case DW_OP_addrx:
    case DW_OP_GNU_addr_index:
      address = unit.address({ValueKind::address_index, in.uleb128()});
      break;
    default:
      return std::nullopt;
  }
  if (address && in.remaining() != 0) {
    if (in.u8() != DW_OP_plus_uconst) return std::nullopt;
    *address += in.uleb128();
  }
  return in.ok() && in.remaining() == 0 ? address : std::nullopt;
}

// The address of a variable. `in` stands behind the code of the entry.
std::optional<std::uint64_t> address_of(DwarfReader in, const AbbreviationTable& table,
                                        const Abbreviation& abbreviation, const Unit& unit) {
  for (const Attribute& attribute : table.attributes(abbreviation)) {
    const auto block = read_block(in, attribute.form);
    if (attribute.name == DW_AT_location) return block ? fixed_address(*block, unit) : std::nullopt;
    if (!block) read_value(in, attribute.form, attribute.implicit, table.sizes());
  }
  return std::nullopt;
}

}  // namespace

Variables::Variables(DwarfUnits& units) : code_(units.code()), entries_(units.info_size()), types_(entries_) {
  if (units.elf().is_relocatable()) return;  // no section of data has its address yet
  for (std::uint32_t number = 0; number < units.count(); ++number) units_.push_back(units.parts(number));
  for (std::uint32_t number = 0; number < units.count(); ++number) read_unit(number);
  const Cover loaded = loaded_sections(units.elf());
  std::erase_if(places_, [&](const Place& place) { return loaded.find(place.address) == Cover::nothing; });
  std::ranges::stable_sort(places_, {}, &Place::address);
}

void Variables::read_unit(std::uint32_t number) {
  const Unit& unit = units_[number].entries;
  const DebugSections& sections = unit.file->sections();
  const auto table = unit.file->abbreviations(unit.header);
  DwarfReader in(sections.info.first(unit.header.end), sections.order, unit.header.first_entry);
  std::uint64_t depth = 0;
  while (in.remaining() != 0) {
    const std::uint64_t entry = in.position();
    const std::uint64_t code = in.uleb128();
    if (code == 0) {
      if (depth-- <= 1) return;
      continue;
    }
    const Abbreviation* abbreviation = table->find(code);
    if (abbreviation == nullptr) return;
    if (abbreviation->tag == DW_TAG_variable) {
      if (const auto address = address_of(in, *table, *abbreviation, unit))
        places_.push_back({.address = *address, .entry = entry, .unit = number});
    }
    table->skip(in, *abbreviation);
    if (abbreviation->has_children) ++depth;
  }
}

Variables::Described Variables::describe(const EntryPlace& place) {
  Described all;
  EntryPlace at = place;
  for (unsigned step = 0; step < most_origins && at; ++step) {
    const auto entry = entries_.read(at);
    if (!entry) break;
    if (all.name.empty()) all.name = entry->name;
    if (!all.type) all.type = entry->type;
    if (all.line == 0) all.line = entry->line;
    if (all.declared_in == nullptr && entry->file) {
      all.file = *entry->file;
      all.declared_in = entry->unit;
    }
    at = entry->origin;
  }
  return all;
}

// A split unit counts files as its skeleton does.
std::string_view Variables::path_of_file(const Described& variable, const Unit& skeleton) {
  if (variable.declared_in == nullptr) return {};
  const Unit& unit = variable.declared_in->root.line_table ? *variable.declared_in : skeleton;
  const auto [table, is_new] = line_tables_.try_emplace({unit.file, unit.header.offset});
  if (is_new) table->second = LineTable(unit, code_);
  return table->second.path(at_most_32_bits(variable.file));
}

std::optional<SourceVariable> Variables::variable_at(const Place& place, std::uint64_t address) {
  const DwarfUnits::Parts& home = units_[place.unit];
  const Described described = describe({home.entries.file, place.entry});
  const std::uint64_t offset = address - place.address;
  if (offset != 0 && offset >= types_.size_of(described.type)) return std::nullopt;
  return SourceVariable{.name = std::string(described.name),
                        .path = types_.path(described.type, offset),
                        .file = std::string(path_of_file(described, home.unit)),
                        .line = at_most_32_bits(described.line)};
}

// Several units may have the same variable, and one of them may know more of its type.
std::optional<SourceVariable> Variables::find(std::uint64_t address) {
  constexpr unsigned most_tried = 4;
  const auto after = std::ranges::upper_bound(places_, address, {}, &Place::address);
  if (after == places_.begin()) return std::nullopt;
  const std::lock_guard lock(mutex_);
  unsigned tried = 0;
  for (auto place = std::prev(after); place->address == std::prev(after)->address && tried < most_tried; --place) {
    if (auto variable = variable_at(*place, address)) return variable;
    if (place == places_.begin()) break;
    ++tried;
  }
  return std::nullopt;
}

}  // namespace perfsift::symbolize::dwarf
