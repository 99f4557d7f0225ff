// Standard output that dlfilters in the process print to, too.
#pragma once

#include <string_view>

namespace perfsift::tools {

// Writes through stdio, so that the text of perfsift and of dlfilters comes out in the order of writing. Throws
// OutputClosed, and Error if writing fails.
class SharedStdout {
 public:
  void write(std::string_view text);
  void flush();
};

}  // namespace perfsift::tools
