// /tmp/perf-PID.map: a JIT compiler's list of its functions.
//
//   7f51c0e01000 40 LazyCompile:~main app.js:1
#pragma once

#include <memory>
#include <string>

#include "base/owned.h"
#include "symbolize/symbols/symbol_table.h"

namespace perfsift::symbolize {

// Parses the text of a map: START SIZE NAME, numbers in hex with or without 0x, the name to the end of the line. Other
// lines are dropped. Where entries overlap, the later one wins: the file grows with time, and memory is reused. (perf's
// tree does not expect overlaps: its answer depends on the order of insertion, and may be nothing.)
std::unique_ptr<SymbolTable> parse_perf_map(std::string text);

// Only the end of a map that is too large is read. Holes of a sparse file are passed over.
struct PerfMapLimits {
  std::size_t bytes = std::size_t{1} << 29;
  std::size_t entries = std::size_t{1} << 23;
};
// A table without symbols, and Missing::file_unreadable, if the file cannot be read.
std::unique_ptr<SymbolTable> read_perf_map(const FileDescriptor& file, const std::string& path,
                                           const PerfMapLimits& limits = {});

// The names of the code that binary.pid made: from the map in its container, if it still runs, otherwise from
// /tmp/perf-PID.map below options.symfs. Another user's map is not read: see jit_files.h.
std::unique_ptr<SymbolTable> load_perf_map(const Binary& binary, const SymbolizeOptions& options);

}  // namespace perfsift::symbolize
