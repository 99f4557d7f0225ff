// Which events count, and under which name.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perfsift::analysis {

// The name under which samples of `event` are counted: its own, but for the two kinds of cores of a hybrid CPU, whose
// events are one measurement (cpu_core/cycles/u, cpu_atom/cycles/u: cycles:u).
std::string metric_name(std::string_view event);

// Whether `pattern` means `event`: its name, its name without modifiers (cycles for cycles:u), or a glob for either.
bool selects(std::string_view pattern, std::string_view event);

class EventSelection {
 public:
  // No patterns: every event counts.
  explicit EventSelection(std::vector<std::string> patterns) : patterns_(std::move(patterns)) {}

  // The name to count `event` under, or nothing when it was not asked for. Thread-safe.
  std::optional<std::string> operator()(std::string_view event) const;

  // The first pattern that means none of these events, empty when there is none such.
  std::string unmatched(const std::vector<std::string>& events) const;

 private:
  std::vector<std::string> patterns_;
};

}  // namespace perfsift::analysis
