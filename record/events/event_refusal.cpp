#include "record/events/event_refusal.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/edit_distance.h"
#include "base/error.h"
#include "base/lower_case.h"
#include "base/printable.h"

namespace perfsift::record {

namespace {

// Longer names cannot be compared with all tracepoints of a machine in a time that a user would wait.
constexpr std::size_t longest_compared = 128;

}  // namespace

std::vector<std::string> nearest_names(std::string_view wrong, const std::vector<std::string>& names,
                                       std::size_t count) {
  if (wrong.empty() || wrong.size() > longest_compared) return {};
  const std::size_t limit = std::max<std::size_t>(2, wrong.size() / 3);
  const std::string lower = lower_case(wrong);
  std::vector<std::pair<std::size_t, std::string>> near;
  for (const std::string& name : names) {
    const std::string candidate = lower_case(name);
    const std::size_t longer = std::max(wrong.size(), name.size()), shorter = std::min(wrong.size(), name.size());
    const std::size_t least = longer - shorter;  // names of very different length need no comparison
    const std::size_t distance = least > limit ? least : edit_distance(candidate, lower);
    if (distance <= limit && distance < longer)
      near.push_back({distance, name});
    else if (wrong.size() >= 3 && candidate.find(lower) != std::string::npos)
      near.push_back({limit + distance, name});
  }
  std::ranges::sort(near);
  near.erase(std::unique(near.begin(), near.end()), near.end());
  if (near.size() > count) near.resize(count);
  std::vector<std::string> result;
  for (auto& [distance, name] : near) result.push_back(std::move(name));
  return result;
}

void refuse_event(std::string_view text, const Word& wrong, std::string_view problem,
                  const std::vector<std::string>& names) {
  const std::string part = wrong.text.empty() ? "the end" : fmt::format("'{}'", printable(wrong.text));
  std::string message = fmt::format("event '{}', character {}: {} {}", printable(text), wrong.at + 1, part, problem);
  if (const auto near = nearest_names(wrong.text, names); !near.empty())
    message += fmt::format("; nearest: {}", fmt::join(near, ", "));
  throw UsageError(printable(message));
}

}  // namespace perfsift::record
