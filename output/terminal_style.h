// The means that a table may use where it is printed.
#pragma once

#include <cstddef>

namespace perfsift::output {

// The default: a file or a pipe, which gets the whole texts and nothing else.
struct TerminalStyle {
  std::size_t columns = 0;  // of the terminal; 0: lines of any length
  bool colour = false;
  bool unicode = false;  // beyond ASCII

  bool is_terminal() const { return columns != 0; }
};

}  // namespace perfsift::output
