// Where a command writes its data: a file, or standard output.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "base/owned.h"

namespace perfsift::tools {

// Nobody reads the output any more (`… | head`): a reason to end, not to complain.
struct OutputClosed : std::runtime_error {
  OutputClosed() : std::runtime_error("the output was closed") {}
};

// Not thread-safe. Throws Error when the place cannot be written to, or takes no more (a full disk).
class OutputFile {
 public:
  static constexpr const char* standard_output = "-";

  // A path, or standard_output. A file that exists is replaced.
  explicit OutputFile(const std::string& path);

  // Writes all of it. Throws OutputClosed too.
  void write(std::string_view data);

 private:
  std::string path_;
  FileDescriptor file_;
  int fd_;
};

}  // namespace perfsift::tools
