#include "tools/filter/budget_explanation.h"

#include <algorithm>
#include <ostream>

#include <fmt/format.h>

#include "base/printable.h"
#include "filter/budget/wording.h"

namespace perfsift::tools {

void print_budget(const filter::Budget& budget, std::ostream& out) {
  for (const filter::Assertion& assertion : budget.assertions) {
    out << fmt::format("{}:{}: {}\n  {} {}\n  needs {}\n", printable(budget.origin), assertion.line,
                       printable(assertion.text), printable(filter::measured_in_words(assertion)),
                       printable(filter::limit_in_words(assertion)), filter::needs_in_words(assertion));
  }
}

void print_measures(std::ostream& out) {
  std::size_t width = 0;
  for (const filter::Measure& measure : filter::measures()) width = std::max(width, measure.form.size());
  const auto print = [&](std::string_view form, std::string_view help) {
    out << fmt::format("{:<{}}  {}\n", form, width, help);
  };
  print(R"(never "f" under "g")", "no stack has the first function below the second; without under: on any stack");
  for (const filter::Measure& measure : filter::measures()) print(measure.form, measure.help);
  print(filter::percentile_measure.form, filter::percentile_measure.help);
}

}  // namespace perfsift::tools
