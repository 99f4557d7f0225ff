#include "tools/report/source_texts.h"

#include <cstddef>
#include <fstream>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace perfsift::tools {
namespace {

constexpr std::uintmax_t largest = 1 << 24;  // bytes

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

std::string SourceTexts::line(std::string_view path, std::uint32_t line) {
  const std::vector<std::string>& lines = file(path).lines;
  return line != 0 && line <= lines.size() ? with_tabs_expanded(lines[line - 1]) : std::string();
}

const SourceTexts::File& SourceTexts::file(std::string_view path) {
  if (const auto known = files_.find(path); known != files_.end()) return known->second;
  return files_.emplace(path, path.empty() ? File() : read(root_ + std::string(path))).first->second;
}

SourceTexts::File SourceTexts::read(const std::string& path) const {
  std::error_code error;
  // Debug information names any path: a pipe or a device would be waited for.
  const bool is_file = std::filesystem::is_regular_file(path, error);
  if (!is_file || std::filesystem::file_size(path, error) > largest || error) return {.lines = {}, .missing = true};
  std::ifstream in(path);
  if (!in) return {.lines = {}, .missing = true};
  File file;
  const Time changed = std::filesystem::last_write_time(path, error);
  file.changed = recorded_ && !error && changed > *recorded_;
  for (std::string line; std::getline(in, line);) {
    if (line.ends_with('\r')) line.pop_back();
    file.lines.push_back(std::move(line));
  }
  return file;
}

std::vector<std::string> SourceTexts::notes() const {
  std::vector<std::string> notes;
  std::string missing;
  std::size_t others = 0;
  for (const auto& [path, file] : files_) {
    if (file.changed) notes.push_back(path + ": changed after the recording, so its lines may be other ones");
    if (file.missing && !missing.empty()) ++others;
    if (file.missing && missing.empty()) missing = path;
  }
  if (others != 0) missing += fmt::format(" and {} more", others);
  if (!missing.empty()) notes.push_back("without the text of lines, as the source cannot be read: " + missing);
  return notes;
}

}  // namespace perfsift::tools
