// What the libraries of this machine have for stacks and names: frame pointers, unwinding rules, debug files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "symbolize/symbolizer.h"

namespace perfsift::tools {

struct LibraryFacts {
  std::string path;
  BuildId build_id;
  // Functions of the symbol table that are large enough to need a frame, and have unwinding rules.
  std::uint64_t functions = 0;
  // Those of them that keep a frame pointer in their middle: by the unwinding rules, the caller is found by the frame
  // pointer there, and not by the stack pointer.
  std::uint64_t with_frame_pointer = 0;
  std::uint64_t rules = 0;  // functions that have unwinding rules (.eh_frame, .debug_frame)
  bool debug_info = false;  // is there, in the file or in a debug file
};

// The C and C++ libraries that are found in the usual folders below options.symfs.
std::vector<LibraryFacts> main_libraries(const symbolize::SymbolizeOptions& options);

}  // namespace perfsift::tools
