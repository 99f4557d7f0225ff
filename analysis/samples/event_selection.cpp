#include "analysis/samples/event_selection.h"

#include <algorithm>

#include "base/glob.h"
#include "filter/text_pattern.h"

namespace perfsift::analysis {

std::string metric_name(std::string_view event) {
  for (const std::string_view pmu : {"cpu_core/", "cpu_atom/", "cpu_lowpower/"}) {
    if (!event.starts_with(pmu)) continue;
    const std::string_view rest = event.substr(pmu.size());
    const std::size_t slash = rest.rfind('/');
    if (slash == std::string_view::npos) break;
    const std::string_view modifiers = rest.substr(slash + 1);
    std::string name(rest.substr(0, slash));
    if (!modifiers.empty() && !modifiers.starts_with(':')) name += ':';
    return name.append(modifiers);
  }
  return std::string(event);
}

bool selects(std::string_view pattern, std::string_view event) {
  const std::string metric = metric_name(event);
  const auto matches = [&](std::string_view name) { return matches_glob(pattern, name, Brackets::classes); };
  return pattern == event || matches(metric) || matches(filter::without_modifiers(metric));
}

bool add_up(std::string_view event, std::string_view other) {
  const std::string_view one = filter::without_modifiers(event), two = filter::without_modifiers(other);
  // "sched:sched_switch"; events of a PMU may have a ':' between slashes.
  const auto is_tracepoint = [](std::string_view name) {
    return name.find(':') != std::string_view::npos && name.find('/') == std::string_view::npos;
  };
  return one == two || (is_tracepoint(one) && is_tracepoint(two));
}

std::optional<std::string> EventSelection::operator()(std::string_view event) const {
  const bool wanted = patterns_.empty() || std::ranges::any_of(patterns_, [&](const std::string& pattern) {
                        return selects(pattern, event);
                      });
  return wanted ? std::optional(metric_name(event)) : std::nullopt;
}

std::string EventSelection::unmatched(const std::vector<std::string>& events) const {
  for (const std::string& pattern : patterns_) {
    if (std::ranges::none_of(events, [&](const std::string& event) { return selects(pattern, event); })) return pattern;
  }
  return {};
}

}  // namespace perfsift::analysis
