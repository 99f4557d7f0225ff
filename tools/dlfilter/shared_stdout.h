// Standard output, when somebody else in the process prints there too.
#pragma once

#include <string_view>

namespace perfsift::tools {

// Writes through stdio, so that text comes out in the order in which it was written by us and by dlfilters. Throws
// OutputClosed, and Error when nothing more can be written.
class SharedStdout {
 public:
  void write(std::string_view text);
  void flush();
};

}  // namespace perfsift::tools
