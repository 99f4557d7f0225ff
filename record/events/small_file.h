// Files of sysfs, procfs and tracefs: a line or a few, and lists of folders.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace perfsift::record {

// The content without the line end, at most 4 KiB: a file of sysfs has at most a page. Nothing: the file cannot be
// read.
inline std::optional<std::string> read_small_file(const std::string& path) {
  constexpr std::streamsize most = 4 << 10;
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::string content(most, '\0');
  file.read(content.data(), most);
  if (file.bad()) return std::nullopt;
  content.resize(static_cast<std::size_t>(file.gcount()));
  while (!content.empty() && (content.back() == '\n' || content.back() == ' ')) content.pop_back();
  return content;
}

// The names in a folder, sorted; none if the folder cannot be read.
inline std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (std::filesystem::directory_iterator entry(folder, ignored), end; entry != end; entry.increment(ignored)) {
    names.push_back(entry->path().filename().string());
    if (ignored) break;
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace perfsift::record
