// A flat table of symbols out of what a file lists: sorted, each with an end, one per start.
//
// Where symbols overlap, one binary search cannot find which of them covers an address. A second flat table then says
// for every stretch of addresses which symbol answers:
//
//   outer   |----------------------|        cover: | outer | inner | outer | next |
//   inner           |-------|
//   next                           |----|
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "symbolize/search/symbolize_options.h"
#include "symbolize/symbols/symbol_file.h"

namespace perfsift::symbolize {

inline constexpr std::uint64_t page_size = 4096;  // the smallest of all architectures

// The rule by which one of several symbols at one start stays.
enum class Aliases : std::uint8_t {
  best,         // by the rules of is_better() in symbol_table.cpp
  perf_6_1,     // by the same rules, but after symbols of unknown size were given one, as symbols__fixup_end() does
  newest_perf,  // likewise, and a label only where there is nothing else
};

constexpr Aliases alias_rule(const SymbolizeOptions& options) {
  return options.aliases_as_perf_6_1 ? Aliases::perf_6_1 : Aliases::best;
}
// Names of kernels and modules are perf's. In kallsyms no symbol has a size or is a label, so all versions of perf
// choose the same name: the last in the list, `__pi_memset` and not `memset`.
constexpr Aliases kernel_alias_rule(const SymbolizeOptions& options) {
  return options.aliases_as_perf_6_1 ? Aliases::perf_6_1 : Aliases::newest_perf;
}

// A SymbolFile while it is made.
class SymbolTable : public SymbolFile {
 public:
  // Symbols are added in the order of the file. A symbol of unknown size has end == start.
  void add(const Symbol& symbol) { symbols_.push_back(symbol); }
  void reserve(std::size_t count) { symbols_.reserve(count); }
  // A name that is not in the file itself.
  std::string_view own(std::string name) { return names_.emplace_back(std::move(name)); }
  // Keeps alive what names point into.
  void own(std::shared_ptr<const void> storage) { storage_.push_back(std::move(storage)); }

  // Takes what finish() left of another one. Names and `storage` as in own().
  void adopt(std::vector<Symbol> symbols, std::vector<Cover> cover, std::shared_ptr<const void> storage) {
    symbols_ = std::move(symbols);
    cover_ = std::move(cover);
    own(std::move(storage));
  }
  using SymbolFile::Cover;
  const std::vector<Cover>& cover() const { return cover_; }

  void set_source(std::string source) { source_ = std::move(source); }
  void set_missing(Missing reason) { missing_ = reason; }
  void add_warning(FileWarning warning) { warnings_.push_back(std::move(warning)); }
  void set_mangled(bool mangled) { mangled_ = mangled; }
  void set_entry(std::optional<std::uint64_t> offset) { entry_ = offset; }
  void note_queries(std::shared_ptr<AskedOffsets> asked) { asked_ = std::move(asked); }
  void set_program(std::shared_ptr<const ElfFile> program) { program_ = std::move(program); }
  void set_linked_code(LinkedCode code) { linked_code_ = std::move(code); }
  void set_debug_info(std::shared_ptr<const dwarf::LazyDebugInfo> info) { debug_info_ = std::move(info); }

  // Must be called once, after the last add(), before the first find(). One of several symbols at one start stays, and
  // a symbol of unknown size reaches to the start of the next one.
  void finish(Aliases rule = Aliases::best);
  // finish() where sizes are trusted, and later symbols hide earlier ones (a perf map: JIT compilers reuse memory).
  void finish_later_wins();

 private:
  void keep_one_of_each_start(Aliases rule);
  void extend_to_next();
  void find_cover(const std::vector<std::uint32_t>& priorities);

  std::vector<std::shared_ptr<const void>> storage_;
  std::deque<std::string> names_;
};

// A table with nothing in it but the reason.
std::unique_ptr<SymbolTable> without_symbols(Missing reason);

}  // namespace perfsift::symbolize
