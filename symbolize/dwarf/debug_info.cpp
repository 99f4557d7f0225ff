#include "symbolize/dwarf/debug_info.h"

#include <atomic>
#include <deque>
#include <mutex>

#include <dwarf.h>

#include "base/path.h"
#include "symbolize/dwarf/function_name.h"
#include "symbolize/dwarf/line_table.h"
#include "symbolize/dwarf/scope_table.h"
#include "symbolize/dwarf/sections.h"
#include "symbolize/dwarf/split_units.h"
#include "symbolize/dwarf/supplementary.h"
#include "symbolize/dwarf/unit.h"

namespace perfsift::symbolize::dwarf {

namespace {

// A FunctionName in a number, so that threads can share what one of them has found. 0: nobody looked yet.
std::uint64_t packed(const FunctionName& name) {
  return std::uint64_t{1} << 63 | std::uint64_t{name.mangled} << 62 | std::uint64_t{name.place.section} << 56 |
         (name.place.offset & 0xff'ffff'ffff'ffff);
}
FunctionName unpacked(std::uint64_t bits) {
  return {{static_cast<TextPlace::Section>(bits >> 56 & 0x3f), bits & 0xff'ffff'ffff'ffff}, (bits >> 62 & 1) != 0};
}

// A file's sections and the units in them.
struct LoadedFile {
  explicit LoadedFile(std::shared_ptr<ElfFile> elf, const InfoFile* supplementary = nullptr)
      : sections(std::move(elf), SectionKind::usual), info(sections.sections(), supplementary) {}

  SectionFile sections;
  InfoFile info;
};

std::unique_ptr<LoadedFile> load_supplementary(const ElfFile& file, const SymbolizeOptions& options) {
  auto found = find_supplementary(file, options);
  return found ? std::make_unique<LoadedFile>(std::move(found)) : nullptr;
}

// A compilation unit, and its tables once somebody has asked for an address in it.
struct CompileUnit {
  explicit CompileUnit(const Unit& from) : unit(from) {}

  Unit unit;
  std::once_flag read;
  Unit entries;  // where its functions are: the unit itself, or the split one it stands for
  ScopeTable scopes;
  LineTable lines;
  std::unique_ptr<std::atomic<std::uint64_t>[]> names;  // of scopes.named
};

bool may_hold_code(const Unit& unit) {
  return unit.root.tag == DW_TAG_compile_unit || unit.root.tag == DW_TAG_skeleton_unit;
}

}  // namespace

class DebugInfo::State {
 public:
  State(std::shared_ptr<ElfFile> elf, const std::string& program, const SymbolizeOptions& options);

  void append_frames(std::uint64_t address, std::vector<SourceFrame>& frames);

 private:
  void add_unit(const UnitHeader& header, std::vector<OwnedRange>& ranges);
  void read_tables(CompileUnit& unit);
  void append_chain(CompileUnit& unit, std::uint32_t innermost, SourcePlace place, std::vector<SourceFrame>& frames);
  FunctionName name_of(CompileUnit& unit, std::uint32_t number);

  std::unique_ptr<LoadedFile> supplementary_;
  LoadedFile file_;
  CodeSections code_;
  SplitUnits split_;
  std::deque<CompileUnit> units_;  // in the order of the file
  Cover unit_at_;                  // numbers of units, counted from the last one
};

DebugInfo::State::State(std::shared_ptr<ElfFile> elf, const std::string& program, const SymbolizeOptions& options)
    : supplementary_(load_supplementary(*elf, options)),
      file_(elf, supplementary_ ? &supplementary_->info : nullptr),
      code_(*elf),
      split_({program + ".dwp", elf->path() + ".dwp"}, std::string(folder_of(program)), options.symfs) {
  std::vector<OwnedRange> ranges;
  for (const UnitHeader& header : file_.info.units()) add_unit(header, ranges);
  // Of several units that claim an address the first one answers, and Cover takes the largest number.
  const auto last = static_cast<std::uint32_t>(units_.size()) - 1;
  for (OwnedRange& range : ranges) range.owner = last - range.owner;
  unit_at_ = Cover(std::move(ranges));
}

// .debug_aranges would tell the same, but not for all compilers and not always the truth.
void DebugInfo::State::add_unit(const UnitHeader& header, std::vector<OwnedRange>& ranges) {
  if (!header.is_known() || (header.type != DW_UT_compile && header.type != DW_UT_skeleton)) return;
  const Unit unit = file_.info.unit(header);
  if (!may_hold_code(unit)) return;
  const auto number = static_cast<std::uint32_t>(units_.size());
  CompileUnit& added = units_.emplace_back(unit);

  const UnitRoot& root = unit.root;
  if (!root.ranges && !root.high_pc) {  // a compiler that leaves it to its functions
    std::call_once(added.read, [&] { read_tables(added); });
    return added.scopes.innermost.append_to(ranges, number);
  }
  std::vector<AddressRange> found;
  read_ranges(unit, {root.low_pc, root.high_pc, root.ranges}, code_, found);
  for (const AddressRange& range : found) ranges.push_back({range.start, range.end, number});
}

void DebugInfo::State::read_tables(CompileUnit& unit) {
  unit.entries = unit.unit;
  if (unit.unit.root.split_name) unit.entries = split_.find(unit.unit).value_or(unit.unit);
  unit.scopes = read_scopes(unit.entries, code_);
  unit.lines = LineTable(unit.unit, code_);
  unit.names = std::make_unique<std::atomic<std::uint64_t>[]>(unit.scopes.named.size());
}

void DebugInfo::State::append_frames(std::uint64_t address, std::vector<SourceFrame>& frames) {
  const std::uint32_t number = unit_at_.find(address);
  if (number == Cover::nothing) return;
  CompileUnit& unit = units_[units_.size() - 1 - number];
  std::call_once(unit.read, [&] { read_tables(unit); });

  SourcePlace place;
  if (const LineRow* row = unit.lines.find(address)) place = {unit.lines.path(row->file), row->line, row->column};
  if (const std::uint32_t scope = unit.scopes.innermost.find(address); scope != Cover::nothing)
    append_chain(unit, scope, place, frames);
  else if (!place.file.empty())
    frames.push_back({.place = place});
}

void DebugInfo::State::append_chain(CompileUnit& unit, std::uint32_t innermost, SourcePlace place,
                                    std::vector<SourceFrame>& frames) {
  // A parent has a smaller number than its children: this ends.
  for (std::uint32_t number = innermost; number != Scope::none;) {
    const Scope& scope = unit.scopes.scopes[number];
    const FunctionName name = name_of(unit, scope.name);
    frames.push_back({.name = unit.entries.text(name.place),
                      .mangled = name.mangled,
                      .inlined = scope.parent != Scope::none,
                      .place = place});
    place = {unit.lines.path(scope.call_file), scope.call_line, scope.call_column};
    number = scope.parent;
  }
}

FunctionName DebugInfo::State::name_of(CompileUnit& unit, std::uint32_t number) {
  std::atomic<std::uint64_t>& known = unit.names[number];
  if (const std::uint64_t bits = known.load(std::memory_order_relaxed); bits != 0) return unpacked(bits);
  const FunctionName name = find_name(unit.entries, unit.scopes.named[number]);
  known.store(packed(name), std::memory_order_relaxed);  // whoever else looks finds the same
  return name;
}

DebugInfo::DebugInfo(std::unique_ptr<State> state) : state_(std::move(state)) {}

DebugInfo::~DebugInfo() = default;

std::shared_ptr<const DebugInfo> DebugInfo::open(std::shared_ptr<ElfFile> file, const std::string& program,
                                                 const SymbolizeOptions& options) {
  if (!file || !has_debug_info(*file)) return nullptr;
  auto state = std::make_unique<State>(std::move(file), program, options);
  return std::shared_ptr<const DebugInfo>(new DebugInfo(std::move(state)));
}

void DebugInfo::append_frames(std::uint64_t address, std::vector<SourceFrame>& frames) const {
  state_->append_frames(address, frames);
}

}  // namespace perfsift::symbolize::dwarf
