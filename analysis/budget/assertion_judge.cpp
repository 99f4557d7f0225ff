#include "analysis/budget/assertion_judge.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace perfsift::analysis {
namespace {

using filter::Comparison;

AssertionUnit unit_of(filter::BudgetUnit unit) {
  switch (unit) {
    case filter::BudgetUnit::percent:
      return AssertionUnit::percent;
    case filter::BudgetUnit::nanoseconds:
      return AssertionUnit::nanoseconds;
    case filter::BudgetUnit::count:
      break;
  }
  return AssertionUnit::count;
}

Estimate limit_of(const filter::Limit& limit, const MeasuredValue* before) {
  if (!limit.of_baseline) return {.value = limit.value, .low = limit.value, .high = limit.value};
  const auto moved = [&](double value) { return std::max(0.0, value * (1 + limit.relative) + limit.value); };
  return {.value = moved(before->value->value), .low = moved(before->value->low), .high = moved(before->value->high)};
}

// The interval of the difference of two independent estimates, from their intervals: Zou and Donner (Statistics in
// Medicine 27, 2008), of which Newcombe's interval is the case of two shares.
Estimate difference(const Estimate& a, const Estimate& b) {
  const double value = a.value - b.value;
  return {.value = value,
          .low = value - std::hypot(a.value - a.low, b.high - b.value),
          .high = value + std::hypot(a.high - a.value, b.value - b.low)};
}

// `difference`: from the limit to the measured value.
Outcome outcome_of(Comparison comparison, const Estimate& difference) {
  const auto decided = [&](bool all_keep, bool none_keeps) {
    return all_keep ? Outcome::passed : none_keeps ? Outcome::failed : Outcome::cannot_judge;
  };
  switch (comparison) {
    case Comparison::less:
      return decided(difference.high < 0, difference.low >= 0);
    case Comparison::less_equal:
      return decided(difference.high <= 0, difference.low > 0);
    case Comparison::greater:
      return decided(difference.low > 0, difference.high <= 0);
    case Comparison::greater_equal:
      return decided(difference.low >= 0, difference.high < 0);
    default:
      return difference.value == 0 ? Outcome::passed : Outcome::failed;
  }
}

// How much data would bring the interval to one side of the limit, if the measured value stays as it is.
std::string needed_text(const Estimate& difference, const MeasuredValue& after) {
  const double radius = difference.value < 0 ? difference.high - difference.value : difference.value - difference.low;
  const double times = std::pow(radius / difference.value, 2);
  constexpr double most = 1e15;
  const double needed = static_cast<double>(after.of) * times;
  if (!std::isfinite(needed) || needed > most) return "chance may have put the value on either side of the limit";
  return fmt::format(
      "chance may have put the value on either side of the limit; about {:.0f} {} in place of {} would decide",
      std::ceil(needed), after.of_what, after.of);
}

void append(std::string& text, const std::string& more) {
  if (more.empty()) return;
  text += (text.empty() ? "" : "; ") + more;
}

}  // namespace

AssertionResult judge_assertion(const filter::Assertion& assertion, const std::string& file, const MeasuredValue& after,
                                const MeasuredValue* before) {
  AssertionResult result;
  result.text = assertion.text;
  result.file = file;
  result.line = static_cast<std::uint32_t>(assertion.line);
  result.column = static_cast<std::uint32_t>(assertion.column);
  result.unit = unit_of(assertion.unit);
  if (!after.value) return result.explanation = after.missing, result;
  result.measured = after.value;
  // An end that is not known is not a number for outputs.
  if (std::isinf(result.measured->high)) result.measured->high = result.measured->value;
  if (assertion.limit.of_baseline && (before == nullptr || !before->value)) {
    result.explanation = before == nullptr ? "there is no baseline" : "in the baseline: " + before->missing;
    return result;
  }
  const Estimate limit = limit_of(assertion.limit, before);
  result.limit = limit.value;
  const bool exact = !assertion.limit.of_baseline && assertion.limit.value == 0;
  Estimate measured = *after.value;
  if (exact) measured.low = measured.high = measured.value;
  const Estimate distance = difference(measured, limit);
  result.outcome = outcome_of(assertion.comparison, distance);
  if (result.outcome == Outcome::cannot_judge) append(result.explanation, needed_text(distance, after));
  append(result.explanation, after.note);
  return result;
}

}  // namespace perfsift::analysis
