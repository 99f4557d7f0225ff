// Reads a small file: an expression, a list, a key.
#pragma once

#include <string>

namespace perfsift::analysis {

// All bytes of the file at `path`; "-" means standard input. Throws InputError when it cannot be read.
std::string whole_file(const std::string& path);

}  // namespace perfsift::analysis
