#include "filter/budget/wording.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/edit_distance.h"
#include "filter/field.h"

namespace perfsift::filter {
namespace {

std::string function_in_words(const FunctionPattern& function) {
  const bool is_name = function.text.starts_with('"') || function.text.starts_with('\'');
  if (is_name) return "the function " + function.text;
  const bool is_regex = function.text.starts_with("=~");
  return (is_regex ? "a function that matches " : "a function with ") + function.text.substr(is_regex ? 3 : 0);
}

std::string wait_part_in_words(WaitPart part) {
  switch (part) {
    case WaitPart::off_cpu:
      return "intervals off a CPU";
    case WaitPart::blocked:
      return "the blocked part of intervals off a CPU";
    case WaitPart::run_queue:
      return "the run-queue part of intervals off a CPU";
  }
  return {};
}

std::string waits_in_words(const Assertion& assertion) {
  const std::string part = wait_part_in_words(assertion.wait);
  const std::string which = assertion.condition.empty() ? "" : " with " + assertion.condition;
  switch (assertion.quantity) {
    case Quantity::longest:
      return "the longest of " + part + which;
    case Quantity::mean:
      return "the mean length of " + part + which;
    case Quantity::count:
      return "the number of intervals off a CPU" + which;
    case Quantity::sum:
      return "the total length of " + part + which;
    default:
      return fmt::format("percentile {} of the lengths of {}{}", assertion.percentile, part, which);
  }
}

const Measure& measure_of(Quantity quantity) { return *std::ranges::find(measures(), quantity, &Measure::quantity); }

std::string memory_in_words(const Assertion& assertion) {
  return fmt::format(
      "{} of memory accesses counted as {}{}", assertion.unit == BudgetUnit::percent ? "the share" : "the number",
      measure_of(assertion.quantity).name, assertion.condition.empty() ? "" : " with " + assertion.condition);
}

std::string comparison_in_words(Comparison comparison) {
  switch (comparison) {
    case Comparison::less:
      return "below";
    case Comparison::less_equal:
      return "at most";
    case Comparison::greater:
      return "above";
    case Comparison::greater_equal:
      return "at least";
    default:
      return "exactly";
  }
}

// Names that are no fields of samples, and therefore of tracepoints; a near field may be meant.
std::string tracepoint_fields_in_words(const Filter& filter) {
  std::vector<std::string_view> known;
  for (const Field& field : fields()) known.push_back(field.name);
  std::string text;
  for (const TracepointField& field : filter.tracepoint_fields()) {
    const std::string_view near = field.event.empty() ? nearest(field.name, known) : std::string_view();
    text += fmt::format(", a tracepoint with the field {}{}", field.name,
                        near.empty() ? "" : fmt::format(" (did you mean {}?)", near));
  }
  return text;
}

std::string recording_in_words(const Assertion& assertion) {
  switch (assertion.of) {
    case MeasureOf::function:
      return assertion.quantity == Quantity::self ? "samples" : "callchains (perf record -g)";
    case MeasureOf::samples:
      return assertion.filter.uses_stack() ? "a recording of perf with callchains (perf record -g)"
                                           : "a recording of perf";
    case MeasureOf::waits:
      return "switches of threads (perf record -e sched:sched_switch,sched:sched_waking, or --switch-events)";
    case MeasureOf::quality:
      return assertion.quantity == Quantity::samples ? "samples" : "a recording of perf";
    case MeasureOf::memory:
      return "memory accesses (perf mem record)";
  }
  return {};
}

}  // namespace

std::string measured_in_words(const Assertion& assertion) {
  switch (assertion.of) {
    case MeasureOf::function:
      if (assertion.quantity == Quantity::self) {
        return fmt::format("the share of samples in which {} itself ran", function_in_words(assertion.function));
      }
      if (assertion.quantity == Quantity::total) {
        return fmt::format("the share of samples with {} on their stack", function_in_words(assertion.function));
      }
      return fmt::format(
          "the number of samples with {} on their stack{}", function_in_words(assertion.function),
          assertion.under ? ", called directly or indirectly by " + function_in_words(*assertion.under) : "");
    case MeasureOf::samples:
      return "the share of samples with " + assertion.condition;
    case MeasureOf::waits:
      return waits_in_words(assertion);
    case MeasureOf::quality:
      return std::string(measure_of(assertion.quantity).help);
    case MeasureOf::memory:
      return memory_in_words(assertion);
  }
  return {};
}

std::string limit_in_words(const Assertion& assertion) {
  if (assertion.quantity == Quantity::never) return "must be 0";
  return fmt::format("must be {} {}", comparison_in_words(assertion.comparison), assertion.limit.text);
}

std::string needs_in_words(const Assertion& assertion) {
  return recording_in_words(assertion) + tracepoint_fields_in_words(assertion.filter);
}

}  // namespace perfsift::filter
