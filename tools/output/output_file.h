// Where a command writes its data: a file, or standard output.
#pragma once

#include <string>
#include <string_view>

#include "base/owned.h"

namespace perfsift::tools {

// Not thread-safe. Throws InputError when the place cannot be written to.
class OutputFile {
 public:
  // "" or "-": standard output. A file that exists is replaced.
  explicit OutputFile(const std::string& path);

  // Writes all of it. Returns false when nobody reads any more (a closed pipe): the caller may stop.
  bool write(std::string_view data);

 private:
  std::string path_;
  FileDescriptor file_;
  int fd_;
};

}  // namespace perfsift::tools
