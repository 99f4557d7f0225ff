// A temporary directory for one test, removed with its contents when the test ends.
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
  // Writes a file, creates its parent folders, and returns the path of the file.
  std::string write(const std::string& name, Bytes content) const;
  std::string write(const std::string& name, std::string_view content) const;

 private:
  std::filesystem::path path_;
};

// The bytes of a file; none if it cannot be read.
std::string content_of(const std::string& path);

}  // namespace perfsift::test
