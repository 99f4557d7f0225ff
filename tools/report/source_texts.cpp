#include "tools/report/source_texts.h"

#include <filesystem>
#include <fstream>

namespace perfsift::tools {
namespace {

constexpr std::uintmax_t largest = 1 << 24;  // bytes

std::vector<std::string> read_lines_of(const std::string& path) {
  std::vector<std::string> lines;
  std::error_code error;
  // Debug information names any path: a pipe or a device would be waited for.
  const bool is_file = std::filesystem::is_regular_file(path, error);
  if (!is_file || std::filesystem::file_size(path, error) > largest || error) return lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.ends_with('\r')) line.pop_back();
    lines.push_back(std::move(line));
  }
  return lines;
}

// Tabs as a terminal shows them at the start of a line.
std::string with_tabs_expanded(std::string_view text) {
  constexpr std::size_t tab = 8;
  std::string expanded;
  for (const char c : text) {
    if (c == '\t') {
      expanded.append(tab - expanded.size() % tab, ' ');
    } else {
      expanded += c;
    }
  }
  return expanded;
}

}  // namespace

std::string SourceTexts::line(std::string_view file, std::uint32_t line) {
  const std::vector<std::string>& lines = lines_of(file);
  return line != 0 && line <= lines.size() ? with_tabs_expanded(lines[line - 1]) : std::string();
}

const std::vector<std::string>& SourceTexts::lines_of(std::string_view file) {
  if (const auto known = files_.find(file); known != files_.end()) return known->second;
  const std::string path(file);
  return files_.emplace(path, file.empty() ? std::vector<std::string>() : read_lines_of(root_ + path)).first->second;
}

}  // namespace perfsift::tools
