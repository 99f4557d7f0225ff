// Names for the addresses of a recording: where one lies, what the function there is called, what
// perf calls the binary.
#pragma once

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

// Where an address lies.
struct CodeLocation {
  std::uint64_t address = 0;                      // as recorded
  std::uint64_t offset = 0;                       // in the binary; the address itself where nothing was mapped
  std::uint32_t binary = CodeAddress::no_binary;  // nothing was mapped there
  std::uint64_t mapping_start = 0;
  std::uint64_t mapping_end = 0;
  std::uint64_t page_offset = 0;              // of the mapping in the binary
  std::uint32_t code_version = 0;             // of code whose addresses change their meaning: see CodeVersions
  const symbolize::Symbol* symbol = nullptr;  // it has no name

  bool mapped() const { return binary != CodeAddress::no_binary; }
};

// A function, or a call that was inlined, as it is printed.
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

  // What is asked from now on is about this time.
  void set_time(const reader::ThreadState& thread, std::uint64_t time) {
    code_version_ = code_version_finder_.of(thread, time);
  }
  const CodeVersions& code_versions() const { return code_versions_; }
  // Equal numbers mean that equal addresses of one address space have equal names.
  std::uint32_t code_version() const { return code_version_; }

  CodeLocation locate(const reader::ThreadState& thread, reader::CpuMode mode, std::uint64_t address);
  // For addresses of data and branches, which need not belong to the mode of their sample: the other
  // of kernel and user is tried too (thread__find_map_fb() in tools/perf/util/event.c).
  CodeLocation locate_in_any_mode(const reader::ThreadState& thread, reader::CpuMode mode, std::uint64_t address);

  // The function of the kernel or a module that an address belongs to, and where it begins.
  std::optional<reader::TracepointFormats::Function> kernel_function(const reader::ThreadState& thread,
                                                                     std::uint64_t address);

  // "main": of a location that has a symbol. Stays where it is.
  std::string_view readable_name(const CodeLocation& location);
  // The calls that were inlined where the location is, innermost first, and last the function itself: none where there
  // is no debug information. `return_address`: the call in front of it is meant.
  std::vector<SourceCall> source_calls(const CodeLocation& location, bool return_address);
  // "/usr/bin/ls", "[kernel.kallsyms]", "[ext4]", "[unknown]". Stays where it is.
  std::string_view binary_name(const CodeLocation& location);
  // "ls[115f]", where there is no line of it; empty where nothing was mapped.
  std::string place_in_binary(const CodeLocation& location);
  // What perf prints as the offset of a branch, which may be its address.
  std::uint64_t branch_offset(const CodeLocation& location);

  // What is known of the location's binary, which must be mapped. Both stay where they are.
  const Binary& binary(const CodeLocation& location) const { return timeline_.binaries()[location.binary]; }
  const symbolize::SymbolFile& symbols(const CodeLocation& location) { return *names_of(location.binary).file; }
  // Whether the address belongs to the kernel or something it loaded.
  bool in_kernel(const CodeLocation& location) const;
  symbolize::UnwindTables& unwind_tables() { return symbolizer_.unwind_tables(); }

 private:
  // What is kept of each of the timeline's binaries, by their index.
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
  std::uint32_t kernel_ = CodeAddress::no_binary;  // once it has been seen
  std::unordered_map<const symbolize::Symbol*, std::string> demangled_;
};

}  // namespace perfsift::analysis
