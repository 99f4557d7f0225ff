// The text of a budget: parsed, and each assertion written as words.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/error.h"
#include "filter/budget/budget.h"
#include "filter/budget/wording.h"

using namespace perfsift;
using namespace perfsift::filter;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const Budget budget = parse_budget({.origin = "fuzz", .text = text});
    if (budget.assertions.empty()) __builtin_trap();
    for (const Assertion& assertion : budget.assertions) {
      if (assertion.line == 0 || assertion.column == 0 || assertion.text.empty()) __builtin_trap();
      if (text.find(assertion.text) == std::string::npos) __builtin_trap();
      if (measured_in_words(assertion).empty() || limit_in_words(assertion).empty()) __builtin_trap();
      needs_in_words(assertion);
      // An assertion alone is a budget of one.
      if (parse_budget({.origin = "fuzz", .text = assertion.text}).assertions.size() != 1) __builtin_trap();
    }
  } catch (const UsageError& error) {
    if (*error.what() == '\0') __builtin_trap();
  }
  return 0;
}
