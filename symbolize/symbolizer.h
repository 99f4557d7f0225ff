// From a place in a binary to the name of the function there.
//
// Start here. A Symbolizer finds and loads one SymbolFile per distinct Binary, on first use. A
// SymbolFile is immutable once loaded: a sorted table of functions, looked up by binary search.
// Where there is no name there is a reason.
//
// What finds and loads:                       What they are made of:
//   debug_files   ELF files and their .debug    elf_file, elf_symbols, plt, build_id, compression
//   kernel_symbols, kallsyms                    symbol_table (order, ends, aliases, overlaps)
//   vdso, jit_files, perf_map, jit_dump       code_history (who lay where, and when)
//   dwarf/debug_info                            dwarf/: inlined calls and source lines
//   unwind/unwind_tables                        unwind/: where callers are
//   cache/symbol_cache                          cache/: what is kept of all this from run to run
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/binary.h"

namespace perfsift::symbolize {

namespace dwarf {
class LazyDebugInfo;
}
class SymbolCache;
class UnwindTables;

// Why an address has no name. Each has a one-line description and an advice: see describe() and
// advice().
enum class Missing : std::uint8_t {
  none,               // it has one
  no_mapping,         // nothing was mapped there when the sample was taken
  file_missing,       // the binary is not on this machine (or not below --symfs)
  file_unreadable,    // it is there but cannot be opened or read
  not_elf,            // it is there but is not an ELF file
  build_id_differs,   // a file with another build id than the recorded one was found, and not used
  stripped,           // the file has no symbol table, or only that of exported names, and no debug file was found
  no_symbol,          // the file has symbols, but none covers the address
  kernel_restricted,  // kallsyms shows only zeros (kptr_restrict)
  foreign_kernel,     // the recording comes from another kernel, whose symbols are not here
  foreign_owner,      // a jitdump or perf map is there, but it is another user's, and was not believed
  map_missing,        // executable memory without a file, and neither a jitdump nor /tmp/perf-PID.map
  not_code,           // memory without a file that was never meant to hold code (heap, stack, …)
  guest,              // an address of a guest machine
  stack_truncated,    // (unwinding) the stack dump ended before the stack did
};

std::string_view describe(Missing reason);
// What to do, about a binary of this path where that matters.
std::string_view advice(Missing reason, std::string_view binary = {});

enum class Binding : std::uint8_t { local, global, weak };

// A function (or data symbol). Addresses are in the space of CodeAddress::offset of its binary.
struct Symbol {
  std::uint64_t start = 0;
  std::uint64_t end = 0;  // exclusive; == start for a symbol whose size nobody knows
  std::string_view name;  // as in the file (mangled); lives as long as the SymbolFile
  Binding binding = Binding::local;
  bool label = false;  // has no type: a mark in assembly, or of the linker. Not known once its table is finished.
};

// A place in the source.
struct SourcePlace {
  std::string_view file;   // as the compiler called it, with its folder; empty: unknown
  std::uint32_t line = 0;  // 0: unknown, or none
  std::uint32_t column = 0;
};

// A function, or a call that the compiler inlined, by debug information.
struct SourceFrame {
  std::string_view name;  // empty: unknown
  bool mangled = false;   // whether `name` is that of a symbol; else it is as in the source, without its namespaces
  bool inlined = false;
  SourcePlace place;  // where it was: in the innermost frame the address itself, else the call of the frame before
};

// What a user should know of a file that was not read, or not read whole.
struct FileWarning {
  std::string path;
  std::string text;
  auto operator<=>(const FileWarning&) const = default;
};

// Whether a place is in the code at a program's entry point, which calls the C library's part and does little more.
constexpr bool is_start_code(std::uint64_t entry, std::uint64_t place) {
  constexpr std::uint64_t longest = 64;
  return place >= entry && place - entry < longest;
}

// The names of one binary. Safe to share between threads; what it hands out lives as long as it does.
class SymbolFile {
 public:
  SymbolFile() = default;
  SymbolFile(const SymbolFile&) = delete;
  SymbolFile& operator=(const SymbolFile&) = delete;
  virtual ~SymbolFile() = default;

  // The symbol that covers `offset`, or nullptr. Where several do: the innermost one (the one that starts last), in a
  // perf map the one written last. O(log n) in either case.
  // Of code that is made at run time: the latest that lay there.
  const Symbol* find(std::uint64_t offset) const { return find_at(offset, latest); }
  // What covered it at `time` (of a jitdump; all other files mean the same at all times).
  virtual const Symbol* find_at(std::uint64_t offset, std::uint64_t time) const;
  static constexpr std::uint64_t latest = ~std::uint64_t{0};
  // The times, ascending, at which an offset that had a name got another one.
  virtual std::span<const std::uint64_t> changes() const { return {}; }
  // Appends the functions at `offset` by debug information, which is loaded on first demand: innermost first, the last
  // one the function that find() has a symbol for. None where there is no debug information.
  void append_source_frames(std::uint64_t offset, std::vector<SourceFrame>& frames) const {
    append_source_frames_at(offset, latest, frames);
  }
  // The same of what covered it at `time`: see find_at().
  virtual void append_source_frames_at(std::uint64_t offset, std::uint64_t time,
                                       std::vector<SourceFrame>& frames) const;
  // Whether `offset` is where the program of an ELF file starts, and so a stack ends. Needs no symbols.
  bool is_entry(std::uint64_t offset) const { return entry_ && is_start_code(*entry_, offset); }
  // Why find() has nothing for an address it was asked about.
  Missing why_missing() const { return missing_; }

  // All symbols, sorted by start; of several at one start only the best (a perf map keeps them all).
  const std::vector<Symbol>& symbols() const { return symbols_; }
  // The file the names came from, empty when none.
  const std::string& source() const { return source_; }
  const std::vector<FileWarning>& warnings() const { return warnings_; }
  // Whether names are to be demangled (not those of kernels, modules and perf maps).
  bool mangled() const { return mangled_; }

 protected:
  // From `start` on (to the next one's) `symbol` answers.
  struct Cover {
    static constexpr std::uint32_t nothing = ~std::uint32_t{0};
    std::uint64_t start = 0;
    std::uint32_t symbol = nothing;  // index into symbols_
  };

  std::vector<Symbol> symbols_;
  std::vector<Cover> cover_;  // only where symbols overlap, else empty
  std::string source_;
  std::vector<FileWarning> warnings_;
  std::optional<std::uint64_t> entry_;
  Missing missing_ = Missing::no_symbol;
  bool mangled_ = false;
  std::shared_ptr<const dwarf::LazyDebugInfo> debug_info_;
};

// Where to look for names.
struct SymbolizeOptions {
  std::string symfs;  // prefix for every path of the recording (perf's --symfs)
  std::vector<std::string> debug_dirs = {"/usr/lib/debug"};
  std::string build_id_dir;  // perf's build-id cache; empty: .debug in the symfs, without one in $HOME
  std::string vmlinux;       // ELF kernel to use instead of kallsyms
  std::string kallsyms;      // a saved kallsyms file to use for the kernel and its modules
  // Choose among several symbols at one address exactly as perf 6.1 does, for output that must equal its output. The
  // names of the kernel differ in nothing but labels of a vmlinux: see Aliases in symbol_table.h.
  bool aliases_as_perf_6_1 = false;
  // Believe jitdumps and perf maps whoever made them: see jit_files.h.
  bool any_owner = false;
  // Files that were fetched for a build id, to be looked at after those in folders: see debuginfod.h.
  std::multimap<BuildId, std::string> fetched;
  // What earlier runs made of the same files; nullptr: everything is made anew, and nothing is kept.
  std::shared_ptr<SymbolCache> cache;
};

// Thread-safe. References it returns live as long as it does. When it goes, it writes what is new to the cache.
class Symbolizer {
 public:
  explicit Symbolizer(SymbolizeOptions options = {});
  ~Symbolizer();

  // Finds and loads the names of `binary`; the same object for the same binary. Never throws for a
  // bad file: the SymbolFile then has no symbols and says why.
  const SymbolFile& file(const Binary& binary);
  // SymbolFile::warnings() of all files that were loaded so far, sorted.
  std::vector<FileWarning> warnings() const;
  // What filters ask: names must not depend on how they are printed. This one, or one without aliases_as_perf_6_1 that
  // lives as long.
  Symbolizer& for_filters();
  // The unwinding rules of the same binaries, from the same files.
  UnwindTables& unwind_tables();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace perfsift::symbolize
