// A folder for files that a command makes on its way to an output.
#pragma once

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>

#include "base/error.h"

namespace perfsift::tools {

// Only this user can read the folder. It is removed with its files.
class TemporaryFolder {
 public:
  // Throws Error.
  TemporaryFolder() {
    std::error_code none;
    path_ = (std::filesystem::temp_directory_path(none) / "perfsift-XXXXXX").string();
    if (none) throw Error("there is no folder for temporary files: set TMPDIR");
    if (mkdtemp(path_.data()) == nullptr) throw Error("'" + path_ + "': cannot be made: " + std::strerror(errno));
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace perfsift::tools
