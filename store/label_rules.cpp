#include "store/label_rules.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>
#include <re2/re2.h>

#include "base/error.h"
#include "base/printable.h"

namespace perfsift::store {
namespace {

constexpr std::array<std::string_view, 5> other_names = {"event", "thread", "cgroup", "from", "to"};

[[noreturn]] void refuse(const std::string& file, std::size_t line, std::string_view why) {
  throw InputError(printable(fmt::format("{}:{}: {}", file, line, why)));
}

Labels matches(const re2::RE2& expression, std::string_view text) {
  std::vector<re2::StringPiece> groups(static_cast<std::size_t>(expression.NumberOfCapturingGroups()) + 1);
  Labels labels;
  if (!expression.Match({text.data(), text.size()}, 0, text.size(), re2::RE2::UNANCHORED, groups.data(),
                        static_cast<int>(groups.size())))
    return labels;
  for (const auto& [name, number] : expression.NamedCapturingGroups()) {
    const re2::StringPiece& group = groups[static_cast<std::size_t>(number)];
    if (group.data() != nullptr) labels.emplace(name, std::string(group.data(), group.size()));
  }
  return labels;
}

// The labels that all texts have in common.
Labels common_matches(const re2::RE2& expression, std::span<const std::string_view> texts) {
  std::optional<Labels> common;
  for (const std::string_view text : texts) {
    const Labels labels = matches(expression, text);
    if (!common) common = labels;
    std::erase_if(*common, [&](const auto& label) {
      const auto other = labels.find(label.first);
      return other == labels.end() || other->second != label.second;
    });
  }
  return common.value_or(Labels());
}

}  // namespace

LabelRules::LabelRules() = default;
LabelRules::LabelRules(LabelRules&&) noexcept = default;
LabelRules& LabelRules::operator=(LabelRules&&) noexcept = default;
LabelRules::~LabelRules() = default;

LabelRules::LabelRules(const std::string& file, std::string_view text) {
  constexpr std::string_view blanks = " \t";
  for (std::size_t number = 1; !text.empty(); ++number) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.find_first_not_of(blanks) == std::string_view::npos || line.starts_with('#')) continue;
    const std::string_view source = line.substr(0, line.find_first_of(blanks));
    const std::string_view rest = line.substr(source.size());
    const std::size_t begin = rest.find_first_not_of(blanks);
    if ((source != "path" && source != "cgroup") || begin == std::string_view::npos)
      refuse(file, number, "a rule is the word path or cgroup, and a regular expression");
    const std::string pattern(rest.substr(begin));
    auto expression = std::make_unique<re2::RE2>(pattern, re2::RE2::Quiet);
    if (!expression->ok()) refuse(file, number, expression->error());
    if (expression->NamedCapturingGroups().empty())
      refuse(file, number, "the expression names no label: a group such as (?P<service>[^/]+) does");
    for (const auto& [name, group] : expression->NamedCapturingGroups())
      check_label_name(name, fmt::format("{}:{}", file, number));
    (source == "path" ? of_paths_ : of_cgroups_).push_back(std::move(expression));
  }
}

Labels LabelRules::labels_of_path(std::string_view path) const {
  Labels labels;
  for (const auto& rule : of_paths_) labels.merge(matches(*rule, path));
  return labels;
}

Labels LabelRules::labels_of_cgroups(std::span<const std::string_view> cgroups) const {
  Labels labels;
  for (const auto& rule : of_cgroups_) labels.merge(common_matches(*rule, cgroups));
  return labels;
}

void check_label_name(std::string_view name, std::string_view what) {
  if (name.empty()) throw UsageError(printable(fmt::format("{}: the label has no name", what)));
  if (std::ranges::find(other_names, name) != other_names.end())
    throw UsageError(
        printable(fmt::format("{}: {} is no label, but chooses samples in the address of a store", what, name)));
}

}  // namespace perfsift::store
