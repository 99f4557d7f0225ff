#include "output/gate/assertion_text.h"

#include <cstdint>

#include <fmt/format.h>

#include "base/printable.h"
#include "output/offcpu/duration_text.h"

namespace perfsift::output {

using analysis::AssertionUnit;

std::string measured_text(AssertionUnit unit, double value) {
  if (unit == AssertionUnit::percent) return fmt::format("{:.3g} %", value);
  if (unit == AssertionUnit::nanoseconds) return duration_text(static_cast<std::uint64_t>(value));
  return fmt::format("{:.0f}", value);
}

std::string assertion_sentence(const analysis::AssertionResult& result) {
  std::string text;
  const auto append = [&](const std::string& more) { text += (text.empty() ? "" : "; ") + more; };
  if (result.measured) {
    std::string measured = "measured " + measured_text(result.unit, result.measured->value);
    if (result.measured->low != result.measured->high) {
      measured += fmt::format(" ({} to {})", measured_text(result.unit, result.measured->low),
                              measured_text(result.unit, result.measured->high));
    }
    if (result.limit) measured += ", limit " + measured_text(result.unit, *result.limit);
    append(measured);
  }
  if (!result.explanation.empty()) append(printable(result.explanation));
  return text;
}

}  // namespace perfsift::output
