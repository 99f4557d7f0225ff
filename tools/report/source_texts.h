// Lines of source files.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace perfsift::tools {

// Not thread-safe.
class SourceTexts {
 public:
  // Files are below `root`, if it is not empty.
  explicit SourceTexts(std::string root) : root_(std::move(root)) {}

  // Empty if the file cannot be read, is no regular file of a usual size, or is shorter.
  std::string line(std::string_view file, std::uint32_t line);

 private:
  const std::vector<std::string>& lines_of(std::string_view file);

  const std::string root_;
  std::map<std::string, std::vector<std::string>, std::less<>> files_;
};

}  // namespace perfsift::tools
