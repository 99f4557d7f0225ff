// The facts about one binary that unwinding needs: the rules of its functions, its code, and its segments.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "symbolize/cache/symbol_cache.h"
#include "symbolize/elf/elf_file.h"
#include "symbolize/search/symbolize_options.h"
#include "symbolize/unwind/architecture.h"
#include "symbolize/unwind/cached_rules.h"
#include "symbolize/unwind/cfi_section.h"
#include "symbolize/unwind/code_patterns.h"
#include "symbolize/unwind/rule_table.h"

namespace perfsift::symbolize {

// Addresses are the file's (p_vaddr, sh_addr). Thread-safe: the first look-up of a function compiles the function and
// its neighbours.
class UnwindTable {
 public:
  struct Found {
    const RuleTable* table = nullptr;
    const FrameRule* rule = nullptr;  // in `table`; nullptr: no CFI covers the address
  };

  UnwindTable() = default;  // of a binary without a file
  // `runtime` is what was mapped, `symbols` the file that may have its .debug_frame; it may be null, or the same. With
  // a cache the table must live until the next SymbolCache::write_all().
  UnwindTable(std::shared_ptr<ElfFile> runtime, std::shared_ptr<ElfFile> symbols, const SymbolizeOptions& options = {});
  // The table of code without a file: the code from `start` on, and the CFI that describes the code. Either may be
  // empty, and both must live as long as the table. address_of() gives nothing.
  UnwindTable(Bytes code, std::uint64_t start, const CfiSection& cfi, Architecture architecture);
  UnwindTable(const UnwindTable&) = delete;
  UnwindTable& operator=(const UnwindTable&) = delete;

  // Converts an offset in the file to the address, by the segment with the offset, preferably a segment of code.
  std::optional<std::uint64_t> address_of(std::uint64_t file_offset) const;
  // The result is valid as long as the table.
  Found find(std::uint64_t address) const;
  // Whether the function has no frame of its own at the address: only the stack pointer or the link register leads to
  // its caller, and the frame pointer leads to the caller's caller. False where no CFI covers the address.
  bool is_frameless(std::uint64_t address) const;
  // Whether a signal frame starts exactly at the address: the "return address" of a handler.
  bool signal_frame_starts(std::uint64_t address) const;
  // Whether the address is in the start code of the program, where stacks end.
  bool is_entry(std::uint64_t address) const;
  // The bytes of the file from `address` to the end of a read-only segment; empty for a writable one.
  Bytes read_only(std::uint64_t address) const;
  // The instructions before and behind the address. For a return address, the instruction before it counts: a function
  // may end at the address, and another one start there.
  CodeAround code_around(std::uint64_t address, bool return_address) const;
  std::optional<Architecture> architecture() const { return architecture_; }
  std::size_t function_count() const { return functions_.size(); }

  // Compiles everything at once, functions in ascending order: for tests.
  RuleTable compile_all() const;
  std::uint64_t base() const { return base_; }  // what addresses in compiled tables count from

 private:
  using Function = IndexedFunction;
  // The number of functions compiled at a time: a large library has 100,000, and a recording needs a few hundred.
  static constexpr std::size_t group_size = 64;
  struct Group {
    std::once_flag looked_for;
    RuleTable rules;
    bool compiled = false;  // otherwise they are from the cache, or not wanted yet
  };

  void add_sections(const std::shared_ptr<ElfFile>& file, bool debug_only);
  void add_eh_frame_of_segment(const ElfFile& file);
  void index_section(std::uint32_t number, std::vector<Function>& functions) const;
  std::vector<Function> index() const;
  std::size_t group_count() const { return (functions_.size() + group_size - 1) / group_size; }
  void find_functions(const SymbolizeOptions& options, const ElfFile& runtime, const ElfFile* symbols);
  void look_for_rules(std::size_t number, Group& group) const;
  bool write_cache(CacheFileWriter& writer) const;
  RuleTable compile(std::size_t first, std::size_t last) const;
  const Function* function_at(std::uint64_t address) const;
  bool is_of_go(std::uint64_t address) const;
  const GElf_Phdr* read_only_segment(std::uint64_t address) const;

  std::vector<std::shared_ptr<ElfFile>> files_;  // keep the sections' bytes; first what was mapped
  std::optional<Architecture> architecture_;
  std::vector<GElf_Phdr> segments_;  // PT_LOAD of what was mapped
  Bytes image_;
  std::uint64_t base_ = 0;
  std::uint64_t entry_ = 0;
  bool has_go_ = false;  // whether Go compiled a part of the file
  std::vector<CfiSection> sections_;
  FlatArray<Function> functions_;  // ascending, without overlaps
  std::unique_ptr<const CachedRules> cached_;
  mutable std::vector<Group> groups_;
};

}  // namespace perfsift::symbolize
