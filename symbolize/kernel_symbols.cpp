#include "symbolize/kernel_symbols.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/build_id.h"
#include "base/path.h"
#include "symbolize/dwarf/lazy_debug_info.h"
#include "symbolize/elf/build_id.h"
#include "symbolize/elf/debug_sections.h"
#include "symbolize/files/file_stamp.h"
#include "symbolize/files/whole_file.h"
#include "symbolize/search/debug_files.h"
#include "symbolize/search/used_files.h"
#include "symbolize/search/vmlinux.h"
#include "symbolize/symbols/cached_symbols.h"
#include "symbolize/symbols/elf_symbols.h"
#include "symbolize/symbols/symbol_table.h"

namespace perfsift::symbolize {

namespace {

constexpr const char* running_kallsyms = "/proc/kallsyms";

bool is_guest(const Binary& binary) { return binary.path.starts_with("[guest."); }

// Whether /proc/kallsyms of this machine belongs to the recording. With a symfs the recording is from another machine.
bool is_running_kernel(const Binary& binary, const SymbolizeOptions& options) {
  return binary.same_kernel && options.symfs.empty();
}

// The kernel's own build id must agree, if it is known; the build id of a module says nothing about the kernel.
bool running_build_agrees(const BuildId& recorded, const std::string& notes_file) {
  const BuildId running = build_id_of_notes_file(notes_file);
  return recorded.empty() || running.empty() || same_build(recorded, running);
}

// The paths of a kernel's kallsyms in the build-id cache (perf versions before 3.12 without the last folder).
std::vector<std::string> cached_kallsyms(const BuildId& id, const SymbolizeOptions& options) {
  const std::string cache = build_id_cache(options);
  if (id.empty() || cache.empty()) return {};
  const std::string entry = cache + "/[kernel.kallsyms]/" + id.hex();
  return {entry + "/kallsyms", entry};
}

// The distance of the recorded kernel's addresses from the addresses in this symbol table (KASLR), by the one symbol
// whose address is recorded. Nothing if the table does not have that symbol: the table is of another kernel.
std::optional<std::uint64_t> shift(const Binary& binary, std::optional<std::uint64_t> reference_here) {
  if (binary.reference_symbol.empty() || binary.reference_address == 0) return 0;
  if (!reference_here) return std::nullopt;
  return binary.reference_address - *reference_here;
}

// A list of kernel symbols and the file it came from.
struct FoundKallsyms {
  std::shared_ptr<const Kallsyms> list;  // nullptr: the file cannot be read, or there is none
  std::string path;
};

FoundKallsyms packed_kallsyms(const Binary& binary, KallsymsCache& cache) {
  const PackedFile* const file = binary.packed ? binary.packed->find(purpose_of(kallsyms_role, binary)) : nullptr;
  return file != nullptr ? FoundKallsyms{.list = cache.get(*file), .path = file->path} : FoundKallsyms{};
}

void note_use(const Binary& binary, const FoundKallsyms& found, const SymbolizeOptions& options) {
  if (!options.used) return;
  const BuildId id = binary.kind == BinaryKind::kernel ? binary.build_id : BuildId();  // the list is of the kernel
  options.used->add(purpose_of(kallsyms_role, binary), {.path = found.path,
                                                        .build_id = id,
                                                        .bytes = std::as_bytes(std::span(found.list->text())),
                                                        .owner = found.list,
                                                        .why_missing = {}});
}

std::unique_ptr<SymbolTable> kernel_from_kallsyms(const Binary& binary, const FoundKallsyms& found,
                                                  const SymbolizeOptions& options) {
  const auto& kallsyms = found.list;
  if (!kallsyms) return without_symbols(Missing::file_unreadable);
  if (kallsyms->restricted()) return without_symbols(Missing::kernel_restricted);
  const auto distance = shift(binary, kallsyms->address_of(binary.reference_symbol));
  if (!distance) return without_symbols(Missing::foreign_kernel);

  note_use(binary, found, options);
  auto table = std::make_unique<SymbolTable>();
  table->own(kallsyms);
  table->set_source(found.path);
  table->reserve(kallsyms->kernel().size());
  for (Symbol symbol : kallsyms->kernel()) {
    symbol.start = symbol.end = symbol.start + *distance;
    table->add(symbol);
  }
  table->finish(kernel_alias_rule(options));
  return table;
}

// A list of kernel symbols that does not change, as the symbol cache identifies it.
struct KallsymsVersion {
  std::string name;   // for the eyes
  std::string state;  // identifies it among others
};

// The addresses of the kernel proper are fixed until the next boot. (Modules and BPF programs come and go, and are not
// in this table.)
std::optional<KallsymsVersion> version_of_running() {
  const auto boot = read_whole_file("/proc/sys/kernel/random/boot_id");
  if (!boot) return std::nullopt;
  const std::string id = boot->substr(0, boot->find('\n'));
  return KallsymsVersion{.name = id, .state = id};
}

std::optional<KallsymsVersion> version_of_file(const std::string& path, const BuildId& id) {
  const auto stamp = stamp_of(path);
  if (!stamp) return std::nullopt;
  return KallsymsVersion{.name = id.hex(), .state = id.hex() + ' ' + stamp->words()};
}

// The symbols of a kernel, from the symbol cache, or read and added to the cache. The recorded reference symbol gives
// the shift of the kernel.
std::unique_ptr<SymbolTable> kept_kernel(const Binary& binary, const std::string& path,
                                         const std::optional<KallsymsVersion>& version, const SymbolizeOptions& options,
                                         KallsymsCache& kallsyms) {
  const auto key =
      version ? cache_key(options, "kallsyms", version->name,
                          fmt::format(" {} {} {:x}", version->state, binary.reference_symbol, binary.reference_address))
              : std::nullopt;
  if (!key) return kernel_from_kallsyms(binary, {.list = kallsyms.get(path), .path = path}, options);
  auto table = std::make_unique<SymbolTable>();
  table->set_source(path);
  if (read_symbols(options.cache->find(*key), *table)) return table;
  table = kernel_from_kallsyms(binary, {.list = kallsyms.get(path), .path = path}, options);
  if (!table->symbols().empty()) {
    options.cache->write_later(*key, [made = table.get()](CacheFileWriter& writer) {
      write_symbols(*made, writer);
      return true;
    });
  }
  return table;
}

// Where the recorded reference symbol is in a vmlinux. Not each vmlinux lists _stext, the start of its section .text.
std::optional<std::uint64_t> reference_in(const ElfFile& vmlinux, const SymbolTable& symbols, std::string_view name) {
  const auto listed = std::ranges::find(symbols.symbols(), name, &Symbol::name);
  if (listed != symbols.symbols().end()) return listed->start;
  const ElfFile::Section* const text = name == "_stext" ? vmlinux.section(".text") : nullptr;
  return text != nullptr ? std::optional<std::uint64_t>(text->header.sh_addr) : std::nullopt;
}

// `debug_info` may be the same file, or nullptr.
std::unique_ptr<SymbolTable> kernel_from_vmlinux(const Binary& binary, const std::shared_ptr<ElfFile>& vmlinux,
                                                 const std::shared_ptr<ElfFile>& debug_info,
                                                 const SymbolizeOptions& options) {
  const auto as_linked = [](std::uint64_t value, const ElfFile::Section&) { return std::optional(value); };
  SymbolTable linked;
  add_symtab(*vmlinux, as_linked, linked);
  const auto distance = shift(binary, reference_in(*vmlinux, linked, binary.reference_symbol));
  if (!distance) return without_symbols(Missing::foreign_kernel);

  if (options.used) {
    options.used->add(purpose_of(symbols_role, binary), vmlinux);
    options.used->add(purpose_of(debug_info_role, binary), debug_info);
  }
  auto table = std::make_unique<SymbolTable>();
  table->own(vmlinux);
  table->set_source(vmlinux->path());
  table->set_linked_code({.file = vmlinux, .moved_by = *distance});
  table->reserve(linked.symbols().size());
  for (Symbol symbol : linked.symbols()) {
    const std::uint64_t size = symbol.end - symbol.start;
    symbol.start += *distance;
    symbol.end = end_of(symbol.start, size);
    table->add(symbol);
  }
  table->finish(kernel_alias_rule(options));
  if (debug_info) {
    const auto shifted_back = [distance = *distance](std::uint64_t address) {
      return std::optional(address - distance);
    };
    table->set_debug_info(std::make_shared<dwarf::LazyDebugInfo>(
        debug_info, vmlinux->path(), dwarf::LazyDebugInfo::Addresses{shifted_back, shifted_back}, options));
  }
  return table;
}

// The build id of the recorded kernel. If no id was recorded, the id of this machine's kernel, provided it is the same.
BuildId kernel_build(const Binary& binary, const SymbolizeOptions& options) {
  const bool may_be_running = binary.build_id.empty() && is_running_kernel(binary, options);
  return may_be_running ? build_id_of_notes_file("/sys/kernel/notes") : binary.build_id;
}

// The vmlinux given by the user. Its debug information may be in another file.
std::unique_ptr<SymbolTable> kernel_from_given_vmlinux(const Binary& binary, const SymbolizeOptions& options) {
  Missing why = Missing::none;
  const auto vmlinux = ElfFile::open(options.vmlinux, why);
  if (!vmlinux) return without_symbols(why);
  if (!binary.build_id.empty() && !same_build(binary.build_id, vmlinux->build_id()))
    return without_symbols(Missing::build_id_differs);
  const bool has_all = vmlinux->has_symtab() && has_debug_info(*vmlinux);
  const FoundVmlinux others = has_all ? FoundVmlinux{} : find_vmlinux(vmlinux->build_id(), options);
  const auto& symbols = vmlinux->has_symtab() ? vmlinux : others.symbols;
  const auto& debug_info = has_debug_info(*vmlinux) ? vmlinux : others.debug_info;
  return symbols ? kernel_from_vmlinux(binary, symbols, debug_info, options) : without_symbols(Missing::stripped);
}

// nullptr: the kernel's names did not come with the recording.
std::unique_ptr<SymbolTable> kernel_from_packed(const Binary& binary, const SymbolizeOptions& options,
                                                KallsymsCache& cache) {
  if (const auto vmlinux = packed_elf(binary.packed, purpose_of(symbols_role, binary)))
    return kernel_from_vmlinux(binary, vmlinux, packed_elf(binary.packed, purpose_of(debug_info_role, binary)),
                               options);
  const FoundKallsyms found = packed_kallsyms(binary, cache);
  return found.list ? kernel_from_kallsyms(binary, found, options) : nullptr;
}

// The user gave `path` for the kernel's names, so that none is no mere lack of a file.
std::unique_ptr<SymbolTable> with_warning_if_empty(std::unique_ptr<SymbolTable> table, const std::string& path) {
  if (table->symbols().empty())
    table->add_warning({path, fmt::format("names no address of the kernel: {}", describe(table->why_missing()))});
  return table;
}

// `runtime`: the module itself; nullptr: only its debug file is here.
std::unique_ptr<SymbolTable> module_from_file(const std::shared_ptr<ElfFile>& file,
                                              const std::shared_ptr<ElfFile>& runtime,
                                              const std::shared_ptr<ElfFile>& debug_info,
                                              const SymbolizeOptions& options) {
  auto table = std::make_unique<SymbolTable>();
  table->own(file);
  table->set_source(file->path());
  table->set_linked_code({.file = runtime ? runtime : file});
  const auto place = [](std::uint64_t address, const ElfFile::Section& section) {
    return holds_code(section) && !is_initialisation(section) ? std::optional(address) : std::nullopt;
  };
  add_symtab(*file, place, *table);
  table->finish(kernel_alias_rule(options));
  if (debug_info && debug_info->is_relocatable()) {
    // The places of a module's data are not known: each section is allocated by itself.
    const dwarf::LazyDebugInfo::Addresses as_laid_out{
        .code = [](std::uint64_t offset) { return std::optional(offset); },
        .data = [](std::uint64_t) { return std::optional<std::uint64_t>(); }};
    table->set_debug_info(std::make_shared<dwarf::LazyDebugInfo>(debug_info, file->path(), as_laid_out, options));
  }
  return table;
}

// "ext4" of "[ext4]" and of "/lib/modules/…/ext4.ko.xz". The kernel writes '_' where the file's name has '-'.
std::string module_name(std::string_view path) {
  std::string_view base = base_name(path);
  if (base.starts_with('[') && base.ends_with(']'))
    base = base.substr(1, base.size() - 2);
  else
    base = base.substr(0, base.find(".ko"));
  std::string name(base);
  std::ranges::replace(name, '-', '_');
  return name;
}

// Modules have other addresses after each boot. The list is of the recorded boot if the first function of the module
// lies in the first page of the module's mapping.
bool same_place(const Kallsyms::Module& module, const Binary& binary) {
  return module.first_code >= binary.load_address && module.first_code - binary.load_address < page_size;
}

std::unique_ptr<SymbolTable> module_from_kallsyms(const Binary& binary, const FoundKallsyms& found,
                                                  const SymbolizeOptions& options) {
  const auto& kallsyms = found.list;
  if (!kallsyms) return without_symbols(Missing::file_missing);
  if (kallsyms->restricted()) return without_symbols(Missing::kernel_restricted);
  const Kallsyms::Module* module = kallsyms->module(module_name(binary.path));
  if (module == nullptr || !same_place(*module, binary)) return without_symbols(Missing::file_missing);

  note_use(binary, found, options);
  auto table = std::make_unique<SymbolTable>();
  table->own(kallsyms);
  table->set_source(found.path);
  for (Symbol symbol : module->symbols) {
    if (symbol.start < binary.load_address) continue;
    symbol.start = symbol.end = symbol.start - binary.load_address;
    table->add(symbol);
  }
  table->finish(kernel_alias_rule(options));
  return table;
}

// A list of symbols that may have the symbols of the module; without a list if there is none.
FoundKallsyms module_list(const Binary& binary, const SymbolizeOptions& options, KallsymsCache& cache) {
  if (!options.kallsyms.empty()) return {.list = cache.get(options.kallsyms), .path = options.kallsyms};
  if (FoundKallsyms packed = packed_kallsyms(binary, cache); packed.list) return packed;
  const std::string notes = "/sys/module/" + module_name(binary.path) + "/notes/.note.gnu.build-id";
  if (is_running_kernel(binary, options) && running_build_agrees(binary.build_id, notes))
    return {.list = cache.get(running_kallsyms), .path = running_kallsyms};
  return {};
}

}  // namespace

std::shared_ptr<const Kallsyms> KallsymsCache::get(const std::string& path) {
  Entry* entry;
  {
    const std::lock_guard lock(mutex_);
    entry = &entries_[path];
  }
  std::call_once(entry->loaded, [&] {
    if (auto text = read_whole_file(path)) entry->kallsyms = std::make_shared<const Kallsyms>(std::move(*text));
  });
  return entry->kallsyms;
}

std::shared_ptr<const Kallsyms> KallsymsCache::get(const PackedFile& file) {
  const std::lock_guard lock(mutex_);
  auto& kallsyms = packed_[file.bytes.data()];
  if (!kallsyms) {
    const std::string_view text(reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size());
    kallsyms = std::make_shared<const Kallsyms>(std::string(text));
  }
  return kallsyms;
}

std::unique_ptr<SymbolTable> load_kernel(const Binary& binary, const SymbolizeOptions& options, KallsymsCache& cache) {
  if (!options.vmlinux.empty())
    return with_warning_if_empty(kernel_from_given_vmlinux(binary, options), options.vmlinux);
  if (!options.kallsyms.empty())
    return with_warning_if_empty(
        kernel_from_kallsyms(binary, {.list = cache.get(options.kallsyms), .path = options.kallsyms}, options),
        options.kallsyms);
  if (is_guest(binary)) return without_symbols(Missing::guest);
  if (auto packed = kernel_from_packed(binary, options, cache)) return packed;

  const FoundVmlinux vmlinux = find_vmlinux(kernel_build(binary, options), options);
  if (vmlinux.symbols) {
    auto table = kernel_from_vmlinux(binary, vmlinux.symbols, vmlinux.debug_info, options);
    if (!table->symbols().empty()) return table;
  }
  for (const std::string& path : cached_kallsyms(binary.build_id, options)) {
    auto table = kept_kernel(binary, path, version_of_file(path, binary.build_id), options, cache);
    if (!table->symbols().empty()) return table;
  }
  if (is_running_kernel(binary, options) && running_build_agrees(binary.build_id, "/sys/kernel/notes"))
    return kept_kernel(binary, running_kallsyms, version_of_running(), options, cache);
  return without_symbols(why_no_kernel(binary));
}

std::unique_ptr<SymbolTable> load_module(const Binary& binary, const SymbolizeOptions& options, KallsymsCache& cache) {
  const FoundFiles files = find_files(binary, options);
  if (files.symbols && files.symbols->is_relocatable())
    return module_from_file(files.symbols, files.runtime, files.debug_info, options);

  const bool is_unknown = why_no_kernel(binary) == Missing::unknown_kernel;
  const Missing without_file = is_unknown ? Missing::unknown_kernel : files.missing;
  auto table = without_symbols(files.missing == Missing::none ? Missing::stripped : without_file);
  auto listed = module_from_kallsyms(binary, module_list(binary, options, cache), options);
  const bool is_better = !listed->symbols().empty() || listed->why_missing() == Missing::kernel_restricted;
  return is_better ? std::move(listed) : std::move(table);
}

std::unique_ptr<SymbolTable> load_kernel_symbol(const Binary& binary) {
  auto table = std::make_unique<SymbolTable>();
  table->add({0, binary.size, table->own(binary.path), Binding::global});
  table->finish();
  return table;
}

}  // namespace perfsift::symbolize
