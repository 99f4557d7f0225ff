#include "analysis/input/whole_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "base/error.h"

namespace perfsift::analysis {

// A stream buffer throws exceptions that its stream would turn into a state, for example for a directory. So only
// stream operations are used here.
std::string whole_file(const std::string& path) {
  std::ifstream file(path == "-" ? "/dev/stdin" : path, std::ios::binary);
  std::ostringstream content;
  const bool is_empty = file.peek() == std::ifstream::traits_type::eof();
  if (!is_empty) content << file.rdbuf();
  if (!file.is_open() || file.bad() || content.fail())
    throw InputError(path + ": cannot read: " + std::strerror(errno));
  return content.str();
}

}  // namespace perfsift::analysis
