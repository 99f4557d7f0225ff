// Which events are counted, and under which name.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perfsift::analysis {

// The name under which samples of `event` are counted: its own name, except that the events of the kinds of cores of a
// hybrid CPU are one measurement (cpu_core/cycles/u, cpu_atom/cycles/u: cycles:u).
std::string metric_name(std::string_view event);

// Whether `pattern` selects `event`: by its name, by its name without modifiers (cycles for cycles:u), or by a glob for
// either (base/glob.h, with classes in brackets).
bool selects(std::string_view pattern, std::string_view event);

// Whether amounts of both events can be added up: the events count the same thing, apart from their modifiers (cycles:u
// and cycles:k), or both are tracepoints, whose samples are occurrences.
bool add_up(std::string_view event, std::string_view other);

class EventSelection {
 public:
  // Without patterns every event is counted.
  explicit EventSelection(std::vector<std::string> patterns) : patterns_(std::move(patterns)) {}

  // The name to count `event` under; nothing when no pattern selects the event. Thread-safe.
  std::optional<std::string> operator()(std::string_view event) const;

  // The first pattern that selects none of these events; empty when every pattern selects some event.
  std::string unmatched(const std::vector<std::string>& events) const;

 private:
  std::vector<std::string> patterns_;
};

}  // namespace perfsift::analysis
