// The symbols of one binary.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "symbolize/dwarf/source_frame.h"
#include "symbolize/dwarf/source_variable.h"
#include "symbolize/files/missing.h"

namespace perfsift::symbolize {

class AskedOffsets;
class ElfFile;
namespace dwarf {
class LazyDebugInfo;
}

// start + size, at most the largest address.
constexpr std::uint64_t end_of(std::uint64_t start, std::uint64_t size) {
  return size > ~std::uint64_t{0} - start ? ~std::uint64_t{0} : start + size;
}

enum class Binding : std::uint8_t { local, global, weak };

// A function (or data symbol). Addresses are in the space of CodeAddress::offset of its binary.
struct Symbol {
  std::uint64_t start = 0;
  std::uint64_t end = 0;  // exclusive; == start if the size is unknown
  std::string_view name;  // as in the file (mangled); lives as long as the SymbolFile
  Binding binding = Binding::local;
  bool label = false;  // has no type: a mark in assembly, or of the linker. Not known once its table is finished.

  bool has_unknown_size() const { return end == start; }
  // The first address after the symbol. A symbol of unknown size covers its start.
  std::uint64_t reach() const { return has_unknown_size() ? end_of(start, 1) : end; }
};

// Offsets in a binary, without `end`.
struct OffsetRange {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
};

// A message for the user about a file that was not read, or not read whole.
struct FileWarning {
  std::string path;
  std::string text;
  auto operator<=>(const FileWarning&) const = default;
};

// Whether an address is in the code at a program's entry point, which calls the C library and does little more.
constexpr bool is_start_code(std::uint64_t entry, std::uint64_t place) {
  constexpr std::uint64_t longest = 64;
  return place >= entry && place - entry < longest;
}

// The code of a kernel or of a module: at addresses of an ELF file, which were moved when the code was loaded.
struct LinkedCode {
  std::shared_ptr<const ElfFile> file;  // may be a debug file, which has the sections of code without their contents
  std::uint64_t moved_by = 0;           // an offset in the binary is the address and this distance
};

// The names of one binary. Thread-safe. Results live as long as the object.
class SymbolFile {
 public:
  SymbolFile() = default;
  SymbolFile(const SymbolFile&) = delete;
  SymbolFile& operator=(const SymbolFile&) = delete;
  virtual ~SymbolFile() = default;

  // The symbol that covers `offset`, or nullptr. Where several symbols do, the innermost (the one that starts last); in
  // a perf map, the one written last; for code made at run time, the latest code. O(log n).
  const Symbol* find(std::uint64_t offset) const { return find_at(offset, latest); }
  // The symbol that covered `offset` at `time` (in a jitdump; other files do not change with time).
  virtual const Symbol* find_at(std::uint64_t offset, std::uint64_t time) const;
  static constexpr std::uint64_t latest = ~std::uint64_t{0};
  // Offsets around `offset` for which find() has the same answer. O(log n).
  OffsetRange range_of(std::uint64_t offset) const { return stretch_at(offset).range; }
  // The times, ascending, at which an offset that had a name got another one.
  virtual std::span<const std::uint64_t> changes() const { return {}; }
  // Appends the functions at `offset` by debug information, which is loaded on first demand: innermost first, the last
  // one the function that find() has a symbol for. None where there is no debug information.
  void append_source_frames(std::uint64_t offset, std::vector<SourceFrame>& frames) const {
    append_source_frames_at(offset, latest, frames);
  }
  // append_source_frames() for the code that covered `offset` at `time`: see find_at().
  virtual void append_source_frames_at(std::uint64_t offset, std::uint64_t time,
                                       std::vector<SourceFrame>& frames) const;
  // The variable at `offset` by debug information, which is loaded on first demand.
  std::optional<SourceVariable> find_variable(std::uint64_t offset) const;
  // The section of an ELF file that `offset` is in, as data: ".data", ".bss"; empty: none, or not known. Lives as long
  // as the SymbolFile.
  std::string_view section_at(std::uint64_t offset) const;
  // Whether `offset` is where the program of an ELF file starts, and so a stack ends. Needs no symbols.
  bool is_entry(std::uint64_t offset) const { return entry_ && is_start_code(*entry_, offset); }
  const std::optional<std::uint64_t>& entry() const { return entry_; }
  // Nothing for programs, whose offsets are those in the file, and where only a list of symbols is known.
  const std::optional<LinkedCode>& linked_code() const { return linked_code_; }
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
  // `symbol` answers from `start` to the next start.
  struct Cover {
    static constexpr std::uint32_t nothing = ~std::uint32_t{0};
    std::uint64_t start = 0;
    std::uint32_t symbol = nothing;  // index into symbols_
  };

  // The answer of find() at an offset, and the offsets around it with the same answer.
  struct Stretch {
    const Symbol* symbol = nullptr;
    OffsetRange range;
  };
  Stretch stretch_at(std::uint64_t offset) const;

  std::vector<Symbol> symbols_;
  std::vector<Cover> cover_;  // only where symbols overlap, else empty
  std::string source_;
  std::vector<FileWarning> warnings_;
  std::optional<std::uint64_t> entry_;
  Missing missing_ = Missing::no_symbol;
  bool mangled_ = false;
  std::shared_ptr<const dwarf::LazyDebugInfo> debug_info_;
  std::shared_ptr<const ElfFile> program_;  // what is mapped; nullptr: no ELF file
  std::optional<LinkedCode> linked_code_;
  std::shared_ptr<AskedOffsets> asked_;  // notes the offsets of all queries; nullptr: they are not noted
};

}  // namespace perfsift::symbolize
