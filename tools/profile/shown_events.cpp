#include "tools/profile/shown_events.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/collect/text_collector.h"
#include "analysis/samples/event_selection.h"

namespace perfsift::tools {
namespace {

using analysis::EventId;
using analysis::Profile;

// Whether the event has no real name. Folded text names no event: its counts are numbers of samples, millionths of
// samples, or the two counts of a comparison.
bool is_unnamed(std::string_view event) {
  constexpr std::string_view unnamed[] = {analysis::no_event, analysis::millionths, analysis::counts_before,
                                          analysis::counts_after};
  return std::ranges::find(unnamed, event) != std::end(unnamed);
}

std::optional<EventId> event_named(const Profile& profile, const std::vector<EventId>& events, std::string_view name) {
  const std::string known = analysis::foldable(analysis::metric_name(name));
  const auto event = std::ranges::find(events, known, [&](EventId id) { return profile.events()[id]; });
  return event != events.end() ? std::optional(*event) : std::nullopt;
}

EventId first_event(const Profile& profile, const std::vector<EventId>& events, std::span<const InputReport> reports) {
  for (const InputReport& report : reports) {
    if (const auto event = event_named(profile, events, report.first_event)) return *event;
    for (const std::string& name : report.events) {
      if (const auto event = event_named(profile, events, name)) return *event;
    }
  }
  // The name decides, because numbers depend on which thread met an event first.
  return *std::ranges::min_element(events, {}, [&](EventId event) { return profile.events()[event]; });
}

// "cache-misses, cycles". If there are many events, only the first.
std::string names_of(const Profile& profile, const std::vector<EventId>& events) {
  constexpr std::size_t most = 8;
  std::vector<std::string> sorted;
  for (const EventId event : events) sorted.push_back(profile.events()[event]);
  std::ranges::sort(sorted);
  if (sorted.size() <= most) return fmt::format("{}", fmt::join(sorted, ", "));
  return fmt::format("{} and {} more", fmt::join(sorted.begin(), sorted.begin() + most, ", "), sorted.size() - most);
}

}  // namespace

std::vector<EventId> shown_events(const Profile& profile, std::span<const InputReport> reports) {
  std::vector<EventId> events = profile.events_with_stacks();
  const auto unnamed = [&](EventId event) { return is_unnamed(profile.events()[event]); };
  if (events.size() <= 1 || std::ranges::any_of(events, unnamed)) return events;
  const std::string& first = profile.events()[first_event(profile, events, reports)];
  std::erase_if(events, [&](EventId event) { return !analysis::add_up(first, profile.events()[event]); });
  return events;
}

std::string keep_shown_events(Profile& profile, std::span<const InputReport> reports) {
  const std::vector<EventId> shown = shown_events(profile, reports);
  std::vector<EventId> others = profile.events_with_stacks();
  std::erase_if(others, [&](EventId event) { return std::ranges::find(shown, event) != shown.end(); });
  if (others.empty()) return {};
  profile.keep_events(shown);
  return fmt::format("shows {}, and not {}, which cannot be added to it: --event chooses, and --event '*' shows all",
                     names_of(profile, shown), names_of(profile, others));
}

}  // namespace perfsift::tools
