// Names for the addresses of a recording: the location, the name of the function, and perf's name for the binary.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analysis/samples/code_versions.h"
#include "reader/recording.h"
#include "reader/tracepoint.h"
#include "symbolize/symbolizer.h"
#include "symbolize/symbols/demangle.h"

namespace perfsift::analysis {

// The location of an address.
struct CodeLocation {
  std::uint64_t address = 0;                      // as recorded
  std::uint64_t offset = 0;                       // in the binary; the address itself where nothing was mapped
  std::uint32_t binary = CodeAddress::no_binary;  // nothing was mapped there
  std::uint64_t mapping_start = 0;
  std::uint64_t mapping_end = 0;
  std::uint64_t page_offset = 0;              // of the mapping in the binary
  std::uint32_t code_version = 0;             // for code whose addresses change their meaning: see CodeVersions
  const symbolize::Symbol* symbol = nullptr;  // nullptr: no symbol

  bool mapped() const { return binary != CodeAddress::no_binary; }
};

// Addresses, without `end`.
struct AddressRange {
  std::uint64_t first = 0;
  std::uint64_t end = 0;

  AddressRange intersection(const AddressRange& other) const {
    return {.first = std::max(first, other.first), .end = std::min(end, other.end)};
  }
};

// A function or an inlined call, as printed.
struct SourceCall {
  std::string name;
  symbolize::SourcePlace place;
};

// Not thread-safe. The recording and the symbolizer must live longer.
class CodeNames {
 public:
  CodeNames(const reader::Recording& recording, symbolize::Symbolizer& symbolizer, symbolize::DemangleStyle demangling)
      : timeline_(recording.timeline()),
        symbolizer_(symbolizer),
        demangling_(demangling),
        code_versions_(recording, symbolizer),
        code_version_finder_(code_versions_, timeline_) {}

  // Sets the time of all following queries.
  void set_time(const reader::ThreadState& thread, std::uint64_t time) {
    code_version_ = code_version_finder_.of(thread, time);
  }
  const CodeVersions& code_versions() const { return code_versions_; }
  // Equal numbers mean that equal addresses of one address space have equal names.
  std::uint32_t code_version() const { return code_version_; }

  CodeLocation locate(const reader::ThreadState& thread, reader::CpuMode mode, std::uint64_t address);
  // Names addresses of data and branches, which may be outside the mode of their sample: the opposite mode (kernel or
  // user) is tried, too (thread__find_map_fb() in tools/perf/util/event.c).
  CodeLocation locate_in_any_mode(const reader::ThreadState& thread, reader::CpuMode mode, std::uint64_t address);

  // For memory behind the mapping of a file's data: the location in that file, with the symbol that lies there.
  // Variables without an initial value (.bss) have no bytes in the file, so from the second page on they lie in
  // anonymous memory right behind the mapping. Nothing: no ELF file lies before the location's mapping.
  std::optional<CodeLocation> behind_file(const reader::ThreadState& thread, const CodeLocation& location);

  // The addresses around the location's that have the same symbol, or none.
  AddressRange range_of(const CodeLocation& location);

  // The function of the kernel or a module that contains the address, and the start of the function.
  std::optional<reader::TracepointFormats::Function> kernel_function(const reader::ThreadState& thread,
                                                                     std::uint64_t address);

  // The demangled name, like "main", of a location with a symbol. The text keeps its address.
  std::string_view readable_name(const CodeLocation& location);
  // The calls inlined at the location, innermost first, and the function itself last. Empty without debug information.
  // `return_address`: the location is a return address, and the call before it is meant.
  std::vector<SourceCall> source_calls(const CodeLocation& location, bool return_address);
  // "/usr/bin/ls", "[kernel.kallsyms]", "[ext4]", "[unknown]". The text keeps its address.
  std::string_view binary_name(const CodeLocation& location);
  // "ls[115f]", for addresses without a source line; empty where nothing was mapped.
  std::string place_in_binary(const CodeLocation& location);
  // The number that perf prints as the offset of a branch; in some cases this is the address.
  std::uint64_t branch_offset(const CodeLocation& location);

  // The binary of a mapped location and its symbols. Both keep their addresses.
  const Binary& binary(const CodeLocation& location) const { return timeline_.binaries()[location.binary]; }
  const symbolize::SymbolFile& symbols(const CodeLocation& location) { return *names_of(location.binary).file; }
  // Whether the address belongs to the kernel or to code that the kernel loaded.
  bool in_kernel(const CodeLocation& location) const;
  symbolize::Symbolizer& symbolizer() { return symbolizer_; }

 private:
  // Cached for each of the timeline's binaries, by index.
  struct BinaryNames {
    const symbolize::SymbolFile* file = nullptr;
    std::string name;
  };

  BinaryNames& names_of(std::uint32_t binary);
  void locate_in_kernel_image(CodeLocation& location);

  const reader::Timeline& timeline_;
  symbolize::Symbolizer& symbolizer_;
  symbolize::DemangleStyle demangling_;
  CodeVersions code_versions_;
  CodeVersionFinder code_version_finder_;
  std::uint32_t code_version_ = 0;
  std::deque<BinaryNames> binaries_;
  std::uint32_t kernel_ = CodeAddress::no_binary;  // set when the kernel's mapping is first seen
  std::unordered_map<const symbolize::Symbol*, std::string> demangled_;
};

}  // namespace perfsift::analysis
