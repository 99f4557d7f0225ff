#include "symbolize/symbolizer.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>

#include "base/loaded_once.h"
#include "symbolize/cache/symbol_cache.h"
#include "symbolize/dwarf/compiled_with.h"
#include "symbolize/dwarf/lazy_debug_info.h"
#include "symbolize/jit/jit_dump.h"
#include "symbolize/jit/perf_map.h"
#include "symbolize/kernel_symbols.h"
#include "symbolize/search/debug_files.h"
#include "symbolize/search/used_files.h"
#include "symbolize/search/vdso.h"
#include "symbolize/symbols/cached_symbols.h"
#include "symbolize/symbols/elf_symbols.h"
#include "symbolize/symbols/packed_names.h"
#include "symbolize/symbols/plt.h"
#include "symbolize/symbols/symbol_table.h"
#include "symbolize/unwind/unwind_tables.h"

namespace perfsift::symbolize {

namespace {

// All members of a Binary that its names depend on, apart from those that grow while a stream is read.
auto named_file(const Binary& binary) {
  const RecordedFile& file = binary.file;
  return std::tie(binary.packed, binary.path, binary.build_id, binary.kind, binary.pid, binary.load_address,
                  binary.size, binary.reference_symbol, binary.reference_address, binary.same_kernel,
                  binary.kernel_known, file.identity.inode, file.identity.inode_generation, file.recorded_seconds);
}

struct ByNamedFile {
  bool operator()(const Binary& a, const Binary& b) const { return named_file(a) < named_file(b); }
};

// `runtime`: the mapped file; `symbols`: the file with its .symtab, or nullptr.
void make_symbols(std::shared_ptr<ElfFile> symbols, const std::shared_ptr<ElfFile>& runtime, Aliases rule,
                  SymbolTable& table) {
  if (!symbols) symbols = mini_debuginfo(*runtime);
  if (!symbols) table.set_missing(Missing::stripped);

  const Placement place = place_in_file(*runtime);
  if (symbols) add_symtab(*symbols, place, table);
  add_dynsym(*runtime, place, table);
  add_plt(*runtime, place, table);
  table.own(symbols);
  table.own(runtime);
  table.finish(rule);
}

std::unique_ptr<SymbolTable> load_elf(const std::shared_ptr<ElfFile>& symbols, const std::shared_ptr<ElfFile>& runtime,
                                      const SymbolizeOptions& options) {
  auto table = std::make_unique<SymbolTable>();
  table->set_source(symbols ? symbols->path() : runtime->path());
  table->set_mangled(true);
  const Aliases rule = alias_rule(options);
  read_or_make_symbols(options, rule == Aliases::perf_6_1 ? "symbols_as_perf_6_1" : "symbols",
                       {runtime.get(), symbols.get()}, *table, [&] { make_symbols(symbols, runtime, rule, *table); });
  return table;
}

// A debug file alone is useless: it does not say where in the mapped file its functions are.
std::unique_ptr<SymbolTable> load_program(const Binary& binary, const SymbolizeOptions& options) {
  const FoundFiles files = find_files(binary, options);
  if (!files.runtime) return without_symbols(files.missing);
  auto table = load_elf(files.symbols, files.runtime, options);
  table->set_program(files.runtime);
  const std::uint64_t entry = files.runtime->header().e_entry;
  if (entry != 0) table->set_entry(files.runtime->file_offset(entry));
  if (files.debug_info) {
    const dwarf::LazyDebugInfo::Addresses by_segments{
        .code = [runtime = files.runtime](std::uint64_t offset) { return runtime->address(offset); },
        .data = [runtime = files.runtime](std::uint64_t offset) { return runtime->data_address(offset); }};
    table->set_debug_info(
        std::make_shared<dwarf::LazyDebugInfo>(files.debug_info, files.runtime->path(), by_segments, options));
  }
  return table;
}

std::unique_ptr<SymbolTable> load_vdso(const Binary& binary, const SymbolizeOptions& options) {
  Missing why = Missing::none;
  const auto image = find_vdso(binary, options, why);
  if (!image) return without_symbols(why);
  auto table = load_elf(image, image, options);
  table->set_missing(Missing::no_symbol);  // it exports all its functions: they are its whole .dynsym
  return table;
}

// nullptr: the recording came without names for the binary.
std::unique_ptr<SymbolTable> load_packed_names(const Binary& binary) {
  const PackedFile* const file = binary.packed ? binary.packed->find(purpose_of(names_role, binary)) : nullptr;
  if (file == nullptr) return nullptr;
  return read_packed_names({reinterpret_cast<const char*>(file->bytes.data()), file->bytes.size()});
}

std::unique_ptr<SymbolTable> load(const Binary& binary, const SymbolizeOptions& options, KallsymsCache& kallsyms) {
  if (auto names = load_packed_names(binary)) return names;
  switch (binary.kind) {
    case BinaryKind::elf:
      return load_program(binary, options);
    case BinaryKind::kernel:
      return load_kernel(binary, options, kallsyms);
    case BinaryKind::kernel_module:
      return load_module(binary, options, kallsyms);
    case BinaryKind::kernel_symbol:
      return load_kernel_symbol(binary);
    case BinaryKind::vdso:
      return load_vdso(binary, options);
    case BinaryKind::vsyscall:
      return without_symbols(Missing::no_symbol);
    case BinaryKind::perf_map:
      return load_perf_map(binary, options);
    case BinaryKind::jit_dump:
      return load_jit_dump(binary, options);
    case BinaryKind::anonymous:
      return without_symbols(Missing::not_code);
  }
  return without_symbols(Missing::no_symbol);
}

// Whether the names come from a file with code; others come from texts.
bool is_named_by_binary(BinaryKind kind) {
  return kind == BinaryKind::elf || kind == BinaryKind::kernel || kind == BinaryKind::kernel_module ||
         kind == BinaryKind::vdso;
}

// Whether another file could give names.
bool is_about_file(Missing reason) {
  switch (reason) {
    case Missing::none:
    case Missing::no_mapping:
    case Missing::no_symbol:
    case Missing::stripped:
    case Missing::not_code:
    case Missing::guest:
    case Missing::stack_truncated:
      return false;
    default:
      return true;
  }
}

// The reason for which a binary has no names is the one of the machine that packed the recording.
void keep_reason(const Binary& binary, const SymbolizeOptions& options, SymbolTable& table) {
  const std::string purpose = purpose_of(any_file_role, binary);
  if (binary.packed) {
    const Missing noted = reason_of(binary.packed->why_missing(purpose));
    if (noted != Missing::none) table.set_missing(noted);
  }
  if (options.used && is_about_file(table.why_missing()))
    options.used->add(purpose, {.path = binary.path,
                                .build_id = binary.build_id,
                                .bytes = {},
                                .owner = {},
                                .why_missing = std::string(describe(table.why_missing()))});
}

}  // namespace

struct Symbolizer::State {
  explicit State(SymbolizeOptions chosen) : options(std::move(chosen)), unwind_tables(options) {}

  void take_warnings(const SymbolFile& file) {
    const std::lock_guard lock(mutex);
    warnings.insert(file.warnings().begin(), file.warnings().end());
  }

  void note_addresses(const Binary& binary, SymbolTable& table) {
    const std::lock_guard lock(mutex);
    const auto asked = std::make_shared<AskedOffsets>();
    table.note_queries(asked);
    noted.insert_or_assign(purpose_of(names_role, binary), Noted{&table, asked});
  }

  SymbolizeOptions options;
  KallsymsCache kallsyms;
  LoadedOnce<SymbolTable, ByNamedFile> files;
  LoadedOnce<std::string, ByNamedFile> compilers;
  UnwindTables unwind_tables;
  std::once_flag filters_seen;
  std::unique_ptr<Symbolizer> for_filters;
  std::mutex mutex;  // of what follows
  std::set<FileWarning> warnings;
  struct Noted {
    const SymbolTable* names = nullptr;
    std::shared_ptr<const AskedOffsets> asked;
  };
  std::map<std::string, Noted> noted;  // by purpose
};

Symbolizer::Symbolizer(SymbolizeOptions options) : state_(std::make_unique<State>(std::move(options))) {}

Symbolizer::~Symbolizer() {
  if (state_->options.cache) state_->options.cache->write_all();
}

const SymbolFile& Symbolizer::file(const Binary& binary) {
  return state_->files.get(binary, [&] {
    auto table = load(binary, state_->options, state_->kallsyms);
    if (table->symbols().empty()) keep_reason(binary, state_->options, *table);
    if (state_->options.note_addresses && is_named_by_binary(binary.kind)) state_->note_addresses(binary, *table);
    state_->take_warnings(*table);
    return table;
  });
}

std::vector<FileWarning> Symbolizer::warnings() const {
  std::set<FileWarning> all;
  {
    const std::lock_guard lock(state_->mutex);
    all = state_->warnings;
  }
  if (state_->for_filters) std::ranges::copy(state_->for_filters->warnings(), std::inserter(all, all.end()));
  return {all.begin(), all.end()};
}

Symbolizer& Symbolizer::for_filters() {
  if (!state_->options.aliases_as_perf_6_1) return *this;
  std::call_once(state_->filters_seen, [&] {
    SymbolizeOptions options = state_->options;
    options.aliases_as_perf_6_1 = false;
    state_->for_filters = std::make_unique<Symbolizer>(std::move(options));
  });
  return *state_->for_filters;
}

const std::string& Symbolizer::compiled_with(const Binary& binary) {
  return state_->compilers.get(binary, [&] {
    return std::make_unique<std::string>(
        dwarf::compiled_with(find_files(binary, state_->options).debug_info, state_->options));
  });
}

std::map<std::string, std::string> Symbolizer::packed_names() const {
  std::map<std::string, std::string> all;
  for (const auto& [purpose, noted] : state_->noted) {
    const std::set<std::uint64_t> offsets = noted.asked->all();  // a copy: what follows asks again
    if (!noted.names->symbols().empty()) all.emplace(purpose, symbolize::packed_names(*noted.names, offsets));
  }
  return all;
}

UnwindTables& Symbolizer::unwind_tables() { return state_->unwind_tables; }

}  // namespace perfsift::symbolize
