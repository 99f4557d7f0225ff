// What `perfsift --version` prints.
#pragma once

#include <string>

namespace perfsift::tools {

// The first line, "perfsift 1.0.0", is what scripts read. A line each follows for the commit, the compiler, the
// libraries as they are loaded now, and what a machine may lack:
//
//   commit 4f2a…
//   library elfutils 0.188
//   feature debuginfod no: no libdebuginfod.so.1 on this machine
//
// Loads the libraries that are loaded on demand.
std::string version_text(const std::string& commit);

}  // namespace perfsift::tools
