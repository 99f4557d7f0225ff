// A directory of its own for one test, removed with all it holds when the test ends.
#pragma once

#include <filesystem>
#include <string>

#include "base/byte_reader.h"

namespace perfsift::test {

class TemporaryDirectory {
 public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }
  // Writes a file (and the folders above it) and returns its path.
  std::string write(const std::string& name, Bytes content) const;
  std::string write(const std::string& name, std::string_view content) const;

 private:
  std::filesystem::path path_;
};

}  // namespace perfsift::test
