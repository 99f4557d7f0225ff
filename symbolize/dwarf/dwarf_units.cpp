#include "symbolize/dwarf/dwarf_units.h"

#include <atomic>

#include <dwarf.h>

#include "base/path.h"
#include "symbolize/dwarf/function_name.h"

namespace perfsift::symbolize::dwarf {

namespace {

// A FunctionName as a number, so that threads can share what one of them has found. 0: not looked up yet.
std::uint64_t packed(const FunctionName& name) {
  return std::uint64_t{1} << 63 | std::uint64_t{name.mangled} << 62 | std::uint64_t{name.place.section} << 56 |
         (name.place.offset & 0xff'ffff'ffff'ffff);
}
FunctionName unpacked(std::uint64_t bits) {
  return {{static_cast<TextPlace::Section>(bits >> 56 & 0x3f), bits & 0xff'ffff'ffff'ffff}, (bits >> 62 & 1) != 0};
}

// Names are looked up on demand.
class DwarfNames : public FunctionNames {
 public:
  DwarfNames(const Unit& unit, std::vector<EntryReference> entries)
      : unit_(unit),
        entries_(std::move(entries)),
        known_(std::make_unique<std::atomic<std::uint64_t>[]>(entries_.size())) {}

  SourceName name(std::uint32_t number) const override {
    const FunctionName found = find(number);
    return {unit_.text(found.place), found.mangled};
  }
  std::uint32_t count() const override { return static_cast<std::uint32_t>(entries_.size()); }

 private:
  FunctionName find(std::uint32_t number) const {
    std::atomic<std::uint64_t>& known = known_[number];
    if (const std::uint64_t bits = known.load(std::memory_order_relaxed); bits != 0) return unpacked(bits);
    const FunctionName name = find_name(unit_, entries_[number]);
    known.store(packed(name), std::memory_order_relaxed);  // other threads find the same value
    return name;
  }

  const Unit unit_;
  const std::vector<EntryReference> entries_;
  const std::unique_ptr<std::atomic<std::uint64_t>[]> known_;
};

bool may_hold_code(const Unit& unit) {
  return unit.root.tag == DW_TAG_compile_unit || unit.root.tag == DW_TAG_skeleton_unit;
}

}  // namespace

DwarfUnits::DwarfUnits(std::shared_ptr<ElfFile> file, std::shared_ptr<ElfFile> supplementary,
                       const std::string& program, const SymbolizeOptions& options)
    : supplementary_(supplementary ? std::make_unique<LoadedFile>(std::move(supplementary)) : nullptr),
      file_(file, supplementary_ ? &supplementary_->info : nullptr),
      code_(*file),
      split_(*file, program, options) {
  std::vector<OwnedRange> ranges;
  for (const UnitHeader& header : file_.info.units()) add_unit(header, ranges);
  // The first of several units that claim an address answers, but Cover takes the largest number: so numbers count from
  // the last unit.
  for (OwnedRange& range : ranges) range.owner = count() - 1 - range.owner;
  cover_ = Cover(std::move(ranges));
}

// .debug_aranges has the same ranges, but not from all compilers, and not always the right ones.
void DwarfUnits::add_unit(const UnitHeader& header, std::vector<OwnedRange>& ranges) {
  if (!header.is_known() || (header.type != DW_UT_compile && header.type != DW_UT_skeleton)) return;
  const Unit unit = file_.info.unit(header);
  if (!may_hold_code(unit)) return;
  const std::uint32_t index = count();
  units_.push_back(unit);

  const UnitRoot& root = unit.root;
  if (!root.ranges && !root.high_pc) {  // a compiler that leaves it to its functions
    const Read& early = early_.emplace(index, read(unit)).first->second;
    lasting_ = lasting_ && early.complete && early.split_file.empty();
    return early.tables.innermost.append_to(ranges, index);
  }
  std::vector<AddressRange> found;
  read_ranges(unit, {root.low_pc, root.high_pc, root.ranges}, code_, found);
  for (const AddressRange& range : found) ranges.push_back({range.start, range.end, index});
}

DwarfUnits::Read DwarfUnits::read(std::uint32_t number) {
  const std::uint32_t index = count() - 1 - number;
  const auto early = early_.find(index);
  return early == early_.end() ? read(units_[index]) : std::move(early->second);
}

DwarfUnits::Parts DwarfUnits::parts(const Unit& unit) {
  Parts parts{.unit = unit, .entries = unit};
  if (!unit.root.split_name) return parts;
  const auto split = split_.find(unit);
  parts.complete = split.has_value();
  if (!split) return parts;
  parts.entries = split->unit;
  parts.split_file = split->file;
  return parts;
}

std::uint64_t DwarfUnits::info_size() const {
  const std::uint64_t own = file_.info.sections().info.size();
  return own + (supplementary_ ? supplementary_->info.sections().info.size() : 0);
}

DwarfUnits::Read DwarfUnits::read(const Unit& unit) {
  Read result;
  const Parts found = parts(unit);
  const Unit& entries = found.entries;
  result.complete = found.complete;
  if (found.split_file != nullptr) {
    const auto from = file_in_words(found.split_file->path(), found.split_file->stamp());
    result.complete = from.has_value();
    result.split_file = from.value_or("");
  }
  ScopeTable scopes = read_scopes(entries, code_);
  result.tables.scopes = FlatArray(std::move(scopes.scopes));
  result.tables.innermost = std::move(scopes.innermost);
  result.tables.lines = LineTable(unit, code_);
  result.tables.names = std::make_unique<DwarfNames>(entries, std::move(scopes.named));
  return result;
}

}  // namespace perfsift::symbolize::dwarf
