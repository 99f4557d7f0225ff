#include "analysis/samples/frame_table.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/path.h"
#include "base/printable.h"

namespace perfsift::analysis {

FrameId FrameTable::intern(std::string_view text) {
  const std::lock_guard lock(mutex_);
  if (const auto found = ids_.find(text); found != ids_.end()) return found->second;
  const auto id = static_cast<FrameId>(texts_.size());
  ids_.emplace(texts_.emplace_back(text), id);
  return id;
}

std::string unnamed_text(std::string_view path, std::optional<std::uint64_t> offset) {
  std::string_view name = base_name(path);
  if (name.starts_with('[') && name.ends_with(']')) name = name.substr(1, name.size() - 2);
  return offset ? fmt::format("[{}+{:#x}]", name, *offset) : fmt::format("[{}]", name);
}

std::string foldable(std::string_view text) {
  std::string result = printable(text);
  std::ranges::replace(result, ';', ':');

  const std::size_t last = result.find_last_not_of("0123456789.");
  const bool ends_in_number = last != std::string::npos && last + 1 < result.size();
  if (ends_in_number && result[last] == ' ') result[last] = '_';
  return result;
}

}  // namespace perfsift::analysis
