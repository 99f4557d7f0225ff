#include "tools/sort/sort_keys.h"

#include <algorithm>
#include <optional>
#include <sstream>

#include <fmt/format.h>

#include "analysis/memory/memory_collector.h"
#include "base/error.h"
#include "tools/sort/refused_keys.h"

namespace perfsift::tools {

using analysis::Key;
using analysis::Keys;
using analysis::RowsOf;

Keys sort_keys(RowsOf rows, const std::string& list) {
  Keys keys;
  std::istringstream names(list);
  for (std::string name; std::getline(names, name, ',');) {
    const std::optional<Key> key = analysis::find_key(rows, name);
    if (!key) refuse_key(rows, name);
    if (std::ranges::count(keys, *key) != 0) throw UsageError("--sort: " + name + " is there twice");
    keys.push_back(*key);
  }
  if (keys.empty()) {
    throw UsageError(
        fmt::format("--sort: name at least one key, such as {}", rows == RowsOf::samples ? "symbol" : "mem"));
  }
  constexpr std::size_t most_keys = analysis::MemoryOptions::most_keys;
  if (rows == RowsOf::accesses && keys.size() > most_keys)
    throw UsageError(fmt::format("--sort: at most {} keys", most_keys));
  return keys;
}

analysis::RowOrder row_order(const std::string& text) {
  if (text != "self" && text != "total") throw UsageError("--order " + text + ": there are self and total");
  return text == "total" ? analysis::RowOrder::total : analysis::RowOrder::self;
}

analysis::FrameDetail detail_for(const Keys& keys) {
  return std::ranges::any_of(keys, analysis::needs_lines) ? analysis::FrameDetail::line
                                                          : analysis::FrameDetail::function;
}

bool need_table(const Keys& keys) {
  return std::ranges::any_of(
      keys, [](Key key) { return key == Key::comm || key == Key::comm_nodigit || analysis::needs_table(key); });
}

std::vector<filter::Fact> numbers_behind(const Keys& keys) {
  std::vector<filter::Fact> numbers;
  for (const Key key : keys) {
    if (const auto number = analysis::number_behind(key)) numbers.push_back(*number);
  }
  return numbers;
}

std::vector<std::string> labels_behind(const Keys& keys) {
  std::vector<std::string> labels;
  for (const Key key : keys) {
    if (analysis::is_label(key)) labels.emplace_back(analysis::name_of(key));
  }
  return labels;
}

bool is_comparable(Key key) { return !analysis::needs_table(key) && key != Key::srcline; }

}  // namespace perfsift::tools
