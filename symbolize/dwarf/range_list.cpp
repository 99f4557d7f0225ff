#include "symbolize/dwarf/range_list.h"

#include <dwarf.h>

namespace perfsift::symbolize::dwarf {

namespace {

// Collects ranges, and pays from the budget for the bytes it reads.
class Collector {
 public:
  Collector(const Unit& unit, const CodeSections& code, std::vector<AddressRange>& to)
      : unit_(unit), code_(code), to_(to), base_(unit.base_address) {}

  void add(std::uint64_t start, std::uint64_t end) {
    if (start < end && code_.contains(start)) to_.push_back({start, end});
  }
  void read_ranges(const InfoFile& file, std::uint64_t offset);
  void read_rnglist(const InfoFile& file, std::uint64_t offset);

 private:
  bool read_rnglist_entry(DwarfReader& in);
  std::uint64_t indexed(DwarfReader& in) {
    const auto address = unit_.address({ValueKind::address_index, in.uleb128()});
    if (!address) in.fail();
    return address.value_or(0);
  }

  const Unit& unit_;
  const CodeSections& code_;
  std::vector<AddressRange>& to_;
  std::uint64_t base_;
};

// Pairs of offsets from a base address; (0, 0) ends the list, (-1, address) sets the base.
void Collector::read_ranges(const InfoFile& file, std::uint64_t offset) {
  const unsigned size = unit_.header.sizes.address_size;
  const std::uint64_t set_base = size == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * size)) - 1;
  DwarfReader in(file.sections().ranges, file.sections().order, offset);
  while (file.range_budget().pay(std::uint64_t{2} * size)) {
    const std::uint64_t start = in.number(size), end = in.number(size);
    if (!in.ok() || (start == 0 && end == 0)) return;
    if (start == set_base)
      base_ = end;
    else
      add(base_ + start, base_ + end);
  }
}

void Collector::read_rnglist(const InfoFile& file, std::uint64_t offset) {
  DwarfReader in(file.sections().rnglists, file.sections().order, offset);
  for (std::uint64_t paid = in.position(); read_rnglist_entry(in); paid = in.position())
    if (!file.range_budget().pay(in.position() - paid)) return;
}

// False at the end of the list.
bool Collector::read_rnglist_entry(DwarfReader& in) {
  const unsigned size = unit_.header.sizes.address_size;
  const auto finish = [&](std::uint64_t start, std::uint64_t end) {
    if (in.ok()) add(start, end);
    return in.ok();
  };
  switch (in.u8()) {
    case DW_RLE_base_addressx:
      base_ = indexed(in);
      return in.ok();
    case DW_RLE_base_address:
      base_ = in.number(size);
      return in.ok();
    case DW_RLE_startx_endx: {
      const std::uint64_t start = indexed(in);
      return finish(start, indexed(in));
    }
    case DW_RLE_startx_length: {
      const std::uint64_t start = indexed(in);
      return finish(start, start + in.uleb128());
    }
    case DW_RLE_offset_pair: {
      const std::uint64_t start = in.uleb128();
      return finish(base_ + start, base_ + in.uleb128());
    }
    case DW_RLE_start_end: {
      const std::uint64_t start = in.number(size);
      return finish(start, in.number(size));
    }
    case DW_RLE_start_length: {
      const std::uint64_t start = in.number(size);
      return finish(start, start + in.uleb128());
    }
    default:  // DW_RLE_end_of_list, and what there is not
      return false;
  }
}

// Finds the offset of the list by its index in a table of offsets that count from the table itself.
std::optional<std::uint64_t> list_at_index(const Unit& unit, std::uint64_t index) {
  const DebugSections& sections = unit.file->sections();
  const std::uint64_t base = unit.root.rnglists_base;
  const unsigned size = unit.header.sizes.offset_size;
  if (base > sections.rnglists.size() || index > sections.rnglists.size() / size) return std::nullopt;
  DwarfReader in(sections.rnglists, sections.order, base + index * size);
  const std::uint64_t offset = in.number(size);
  return in.ok() ? std::optional(base + offset) : std::nullopt;
}

}  // namespace

CodeSections::CodeSections(const ElfFile& file) {
  std::vector<OwnedRange> ranges;
  for (const ElfFile::Section& section : file.sections()) {
    const GElf_Shdr& header = section.header;
    if ((header.sh_flags & SHF_EXECINSTR) != 0 && header.sh_size <= ~std::uint64_t{0} - header.sh_addr)
      ranges.push_back({header.sh_addr, header.sh_addr + header.sh_size, 0});
  }
  anywhere_ = ranges.empty();
  cover_ = Cover(std::move(ranges));
}

void read_ranges(const Unit& unit, const RangeAttributes& attributes, const CodeSections& code,
                 std::vector<AddressRange>& to) {
  Collector collector(unit, code, to);
  if (const Value& list = attributes.ranges) {
    if (list.kind == ValueKind::range_list_index) {
      if (const auto offset = list_at_index(unit, list.number)) collector.read_rnglist(*unit.file, *offset);
    } else if (unit.header.sizes.version >= 5) {
      collector.read_rnglist(*unit.file, list.number);
    } else {
      // DWARF 4 leaves the lists of split units in the program.
      const std::uint64_t base = unit.file == unit.program ? 0 : unit.root.gnu_ranges_base;
      collector.read_ranges(*unit.program, base + list.number);
    }
    return;
  }
  const auto low = unit.address(attributes.low_pc);
  if (!low) return;
  if (const Value& high = attributes.high_pc; high.kind == ValueKind::constant)
    collector.add(*low, *low + high.number);
  else
    collector.add(*low, unit.address(high).value_or(0));
}

}  // namespace perfsift::symbolize::dwarf
