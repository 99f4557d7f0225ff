#include "symbolize/program_names.h"

#include <filesystem>

#include "base/error.h"
#include "symbolize/dwarf/debug_info.h"
#include "symbolize/search/debug_files.h"
#include "symbolize/symbols/cached_symbols.h"
#include "symbolize/symbols/elf_symbols.h"
#include "symbolize/symbols/plt.h"
#include "symbolize/symbols/symbol_table.h"

namespace perfsift::symbolize {

struct ProgramNames::State {
  std::string path;
  std::shared_ptr<SymbolCache> cache;
  std::shared_ptr<ElfFile> file;
  SymbolTable symbols;  // by address
  std::shared_ptr<const dwarf::DebugInfo> debug_info;
};

namespace {

void add_symbols(const FoundFiles& found, const std::shared_ptr<ElfFile>& file, SymbolTable& table) {
  // In a relocatable file only code has addresses.
  const bool all = !file->is_relocatable();
  const Placement as_it_is = [all](std::uint64_t address, const ElfFile::Section& section) {
    return all || holds_code(section) ? std::optional(address) : std::nullopt;
  };
  std::shared_ptr<ElfFile> symbols = found.symbols ? found.symbols : mini_debuginfo(*file);
  if (symbols) add_symtab(*symbols, as_it_is, table);
  add_dynsym(*file, as_it_is, table);
  add_plt(*file, as_it_is, table);
  table.own(symbols);
  table.own(file);
  table.finish();
}

}  // namespace

ProgramNames::ProgramNames(const std::string& path, const SymbolizeOptions& options)
    : state_(std::make_unique<State>()) {
  Missing why = Missing::none;
  state_->path = path;
  state_->cache = options.cache;
  state_->file = ElfFile::open(path, why);
  if (!state_->file) throw InputError(path + ": " + std::string(describe(why)));

  // Debug folders mirror absolute paths.
  std::error_code ignored;
  const std::filesystem::path absolute = std::filesystem::absolute(path, ignored);
  const FoundFiles found = find_files({.path = absolute.lexically_normal(), .build_id = {}}, options);
  state_->symbols.set_mangled(true);
  read_or_make_symbols(options, "symbols_by_address", {state_->file.get(), found.symbols.get()}, state_->symbols,
                       [&] { add_symbols(found, state_->file, state_->symbols); });
  state_->debug_info = dwarf::DebugInfo::open(found.debug_info, path, options);
}

ProgramNames::~ProgramNames() {
  if (state_->cache) state_->cache->write_all();
}

void ProgramNames::append_frames(std::uint64_t address, std::vector<SourceFrame>& frames) const {
  const std::size_t before = frames.size();
  if (state_->debug_info) state_->debug_info->append_frames(address, frames);
  const Symbol* symbol = state_->symbols.find(address);
  if (symbol == nullptr) return;
  if (frames.size() == before) frames.emplace_back();
  frames.back().name = symbol->name;
  frames.back().mangled = true;
}

std::uint64_t ProgramNames::section_address(const std::string& name) const {
  const ElfFile::Section* section = state_->file->section(name);
  if (section == nullptr || name.empty())
    throw UsageError("--section " + name + ": " + state_->path + " has none of that name");
  return section->header.sh_addr;
}

}  // namespace perfsift::symbolize
