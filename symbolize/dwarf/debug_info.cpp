#include "symbolize/dwarf/debug_info.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <vector>

#include "symbolize/cache/symbol_cache.h"
#include "symbolize/dwarf/cached_debug_info.h"
#include "symbolize/dwarf/dwarf_units.h"
#include "symbolize/dwarf/supplementary.h"
#include "symbolize/dwarf/variables.h"
#include "symbolize/elf/debug_sections.h"

namespace perfsift::symbolize::dwarf {

namespace {

// A compilation unit, and its tables after the first look-up of an address in the unit.
struct CompileUnit {
  std::once_flag read;
  UnitTables tables;
  std::string split_file;  // as in DwarfUnits::Read
  enum { not_read, cached, made, incomplete } state = not_read;
};

}  // namespace

class DebugInfo::State {
 public:
  State(std::shared_ptr<ElfFile> file, const std::string& program, const SymbolizeOptions& options);

  void append_frames(std::uint64_t address, std::vector<SourceFrame>& frames);
  std::optional<SourceVariable> find_variable(std::uint64_t address);
  const SymbolizeOptions& options() const { return options_; }

 private:
  DwarfUnits& dwarf();
  void read_tables(std::uint32_t number, CompileUnit& unit);
  bool write_cache(CacheFileWriter& writer);

  std::shared_ptr<ElfFile> file_, supplementary_;
  std::string program_;
  SymbolizeOptions options_;

  std::optional<CacheKey> key_;
  std::unique_ptr<const CachedDebugInfo> cached_;
  std::once_flag dwarf_opened_;
  std::unique_ptr<DwarfUnits> dwarf_;  // what is not in the cache comes from here

  Cover unit_at_;
  std::vector<CompileUnit> units_;

  std::once_flag variables_read_;
  std::unique_ptr<Variables> variables_;
};

DebugInfo::State::State(std::shared_ptr<ElfFile> file, const std::string& program, const SymbolizeOptions& options)
    : file_(std::move(file)),
      supplementary_(find_supplementary(*file_, options)),
      program_(program),
      options_(options) {
  key_ = cache_key(options_, "debug_info", {file_.get(), supplementary_.get()});
  if (key_) cached_ = CachedDebugInfo::open(options_.cache->find(*key_));
  unit_at_ = cached_ ? cached_->cover() : dwarf().take_cover();
  units_ = std::vector<CompileUnit>(cached_ ? cached_->unit_count() : dwarf().count());
}

// Once the DWARF is read, there are new tables for the cache.
DwarfUnits& DebugInfo::State::dwarf() {
  std::call_once(dwarf_opened_, [&] {
    dwarf_ = std::make_unique<DwarfUnits>(file_, supplementary_, program_, options_);
    if (key_ && dwarf_->lasting())
      options_.cache->write_later(*key_, [this](CacheFileWriter& writer) { return write_cache(writer); });
  });
  return *dwarf_;
}

void DebugInfo::State::read_tables(std::uint32_t number, CompileUnit& unit) {
  auto kept = cached_ ? cached_->unit(number) : std::nullopt;
  if (kept) {
    unit.tables = std::move(*kept);
    unit.state = CompileUnit::cached;
    return;
  }
  unit.state = CompileUnit::incomplete;
  if (number >= dwarf().count()) return;  // a cache file that lies
  DwarfUnits::Read read = dwarf().read(number);
  unit.tables = std::move(read.tables);
  unit.split_file = std::move(read.split_file);
  if (read.complete) unit.state = CompileUnit::made;
}

bool DebugInfo::State::write_cache(CacheFileWriter& writer) {
  if (std::ranges::find(units_, CompileUnit::made, &CompileUnit::state) == units_.end()) return false;
  CachedDebugInfo::add_cover(static_cast<std::uint32_t>(units_.size()), unit_at_, writer);
  for (std::uint32_t number = 0; number < units_.size() && writer.ok(); ++number) {
    const CompileUnit& unit = units_[number];
    if (unit.state == CompileUnit::made)
      CachedDebugInfo::add_unit(unit.tables, unit.split_file, writer);
    else if (cached_)
      cached_->add_unchanged(number, writer);
    else
      writer.add_missing();
  }
  return true;
}

void DebugInfo::State::append_frames(std::uint64_t address, std::vector<SourceFrame>& frames) {
  const std::uint32_t number = unit_at_.find(address);
  if (number == Cover::nothing) return;
  CompileUnit& unit = units_[number];
  std::call_once(unit.read, [&] { read_tables(number, unit); });
  unit.tables.append_frames(address, frames);
}

std::optional<SourceVariable> DebugInfo::State::find_variable(std::uint64_t address) {
  std::call_once(variables_read_, [&] { variables_ = std::make_unique<Variables>(dwarf()); });
  return variables_->find(address);
}

DebugInfo::DebugInfo(std::unique_ptr<State> state) : state_(std::move(state)) {}

DebugInfo::~DebugInfo() {
  if (state_->options().cache) state_->options().cache->write_all();
}

std::shared_ptr<const DebugInfo> DebugInfo::open(std::shared_ptr<ElfFile> file, const std::string& program,
                                                 const SymbolizeOptions& options) {
  if (!file || !has_debug_info(*file)) return nullptr;
  auto state = std::make_unique<State>(std::move(file), program, options);
  return std::shared_ptr<const DebugInfo>(new DebugInfo(std::move(state)));
}

void DebugInfo::append_frames(std::uint64_t address, std::vector<SourceFrame>& frames) const {
  state_->append_frames(address, frames);
}

std::optional<SourceVariable> DebugInfo::find_variable(std::uint64_t address) const {
  return state_->find_variable(address);
}

}  // namespace perfsift::symbolize::dwarf
