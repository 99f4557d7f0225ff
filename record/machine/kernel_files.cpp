#include "record/machine/kernel_files.h"

#include <algorithm>
#include <limits>

#include <dirent.h>

#include "base/number_in.h"
#include "base/owned.h"
#include "base/text_scanner.h"
#include "base/whole_file.h"
#include "record/machine/number_text.h"

namespace perfsift::record {

namespace {

constexpr std::uint64_t most_number = std::numeric_limits<std::uint32_t>::max();  // of a CPU, node or process

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\n";
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

}  // namespace

std::optional<std::string> read_text(const std::string& path) {
  auto content = read_whole_file(path);
  if (content) content->resize(content->find_last_not_of(" \t\n") + 1);  // npos + 1 is 0
  return content;
}

std::string text_of(const std::string& path) { return read_text(path).value_or(""); }

std::optional<std::uint64_t> number_of(const std::string& path, int base) {
  const std::string content = text_of(path);
  std::string_view text = content;
  return take_number<std::uint64_t>(text, base);
}

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  const Owned<DIR, closedir> entries(opendir(folder.c_str()));
  while (const dirent* entry = entries ? readdir(entries.get()) : nullptr) {
    if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
  }
  std::ranges::sort(names);
  return names;
}

std::vector<std::uint32_t> numbered_in(const std::string& folder, std::string_view prefix) {
  std::vector<std::uint32_t> numbers;
  for (const std::string& name : names_in(folder)) {
    if (!name.starts_with(prefix)) continue;
    const auto number = read_number(std::string_view(name).substr(prefix.size()));
    if (number && *number <= most_number) numbers.push_back(static_cast<std::uint32_t>(*number));
  }
  std::ranges::sort(numbers);
  return numbers;
}

std::string_view value_of(std::string_view text, std::string_view key) {
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    const std::size_t colon = line.find(':');
    if (colon != std::string_view::npos && trimmed(line.substr(0, colon)) == key)
      return trimmed(line.substr(colon + 1));
  }
  return {};
}

}  // namespace perfsift::record
