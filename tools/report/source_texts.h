// Lines of source files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perfsift::tools {

// Not thread-safe.
class SourceTexts {
 public:
  using Time = std::filesystem::file_time_type;

  // Files are below `root`, if it is not empty. `recorded`: when the samples were taken, if that is known.
  SourceTexts(std::string root, std::optional<Time> recorded) : root_(std::move(root)), recorded_(recorded) {}

  // Empty if the file cannot be read, is no regular file of a usual size, or is shorter.
  std::string line(std::string_view file, std::uint32_t line);
  // Sentences about source files that are missing, and about files that changed after the recording, so that their
  // lines may be others.
  std::vector<std::string> notes() const;

 private:
  struct File {
    std::vector<std::string> lines;
    bool missing = false;
    bool changed = false;
  };

  const File& file(std::string_view path);
  File read(const std::string& path) const;

  const std::string root_;
  const std::optional<Time> recorded_;
  std::map<std::string, File, std::less<>> files_;
};

}  // namespace perfsift::tools
