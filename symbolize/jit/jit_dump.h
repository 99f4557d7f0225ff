// jit-PID.dump: a JIT compiler's record of its code, with addresses and times.
//
// The format is tools/perf/Documentation/jitdump-specification.txt of the kernel. `perf inject --jit` turns each piece
// of code into an ELF file and a mapping; here addresses are looked up in the dump itself.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_reader.h"
#include "symbolize/files/mapped_file.h"
#include "symbolize/jit/code_history.h"
#include "symbolize/jit/jit_files.h"
#include "symbolize/symbols/symbol_table.h"

namespace perfsift::symbolize {

// The source line of the code from `offset` to the next entry's offset.
struct JitLine {
  std::uint64_t offset = 0;
  std::uint32_t line = 0;  // from 1; 0: not known
  std::string_view file;
};

// DWARF unwinding information, as in an ELF file with .text at `code`; .eh_frame and .eh_frame_hdr follow at the next
// multiple of 8.
struct JitUnwinding {
  Bytes eh_frame;
  Bytes eh_frame_hdr;
};

// A piece of code at one address: a JIT_CODE_LOAD, or a JIT_CODE_MOVE of one.
struct JitCode {
  std::uint64_t start = 0;
  std::uint64_t size = 0;
  std::uint64_t since = 0;  // in nanoseconds of CLOCK_MONOTONIC, unless the dump has arch_timestamps
  std::string_view name;
  Bytes bytes;  // the instructions as they were when it was loaded; empty where the dump does not have them all
  std::uint32_t first_line = 0;  // in JitDump::lines
  std::uint32_t line_count = 0;
  JitUnwinding unwinding;

  std::uint64_t end() const { return end_of(start, size); }
  // The address of JitUnwinding in memory, as if it were mapped.
  std::uint64_t eh_frame_address() const { return start + ((size + 7) & ~std::uint64_t{7}); }
};

// The content of a dump. Names and bytes point into the dump.
struct JitDump {
  ByteOrder order = ByteOrder::native;
  std::uint16_t machine = 0;     // EM_…; EM_NONE where the writer did not say (CPython)
  bool arch_timestamps = false;  // times are of a counter of the processor
  std::vector<JitCode> codes;    // in the order of time
  std::vector<JitLine> lines;    // those of one piece of code in ascending order
  // Records that are malformed, or move code that was never loaded. A cut tail is not counted: the process may still
  // run.
  std::uint64_t bad_records = 0;

  std::span<const JitLine> lines_of(const JitCode& code) const {
    return std::span(lines).subspan(code.first_line, code.line_count);
  }
};

// Parses a dump of either byte order. Nothing if it is no jitdump of a known version; the whole part of a damaged dump.
std::optional<JitDump> parse_jit_dump(Bytes bytes);

// The addresses and times of the pieces of code, by their index in JitDump::codes.
CodeHistory history_of(const JitDump& dump);

struct OpenedJitDump {
  std::string path;
  std::shared_ptr<const MappedFile> file;  // what the dump points into
  JitDump dump;
};

// The dump at binary.path; no file in it if there is none, or if it belongs to another user.
JitFile find_jit_dump(const Binary& binary, const SymbolizeOptions& options);
// Nothing if the file is no jitdump.
std::optional<OpenedJitDump> open_jit_dump(const JitFile& found);

// The names of the code that one process made. Code that is not in the dump may have a name in the perf map.
class JitSymbols : public SymbolTable {
 public:
  // `fallback`: the perf map, or nullptr; `storage`: the memory that the dump points into.
  JitSymbols(JitDump dump, std::shared_ptr<const void> storage, std::unique_ptr<SymbolTable> fallback);

  const Symbol* find_at(std::uint64_t address, std::uint64_t time) const override;
  std::span<const std::uint64_t> changes() const override { return history_.changes(); }
  // Appends at most one frame: a dump has lines, but no inlined calls.
  void append_source_frames_at(std::uint64_t address, std::uint64_t time,
                               std::vector<SourceFrame>& frames) const override;

  // The piece of code at `address` at `time`, or nullptr.
  const JitCode* code_at(std::uint64_t address, std::uint64_t time) const;
  // The source line of that code, or nullptr.
  const JitLine* line_at(std::uint64_t address, std::uint64_t time) const;

 private:
  void add_symbols();

  JitDump dump_;
  CodeHistory history_;
  std::vector<std::uint32_t> symbol_of_;  // by piece of code
  std::unique_ptr<SymbolTable> fallback_;
};

// The names of the code that binary.pid made, from the dump at binary.path and its perf map (both below
// options.symfs).
std::unique_ptr<SymbolTable> load_jit_dump(const Binary& binary, const SymbolizeOptions& options);

}  // namespace perfsift::symbolize
