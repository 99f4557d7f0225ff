// A budget in words, for perfsift explain.
#pragma once

#include <iosfwd>

#include "filter/budget/budget.h"

namespace perfsift::tools {

// Prints what each assertion asks, and what recordings must have for it.
void print_budget(const filter::Budget& budget, std::ostream& out);
// A table of all that assertions can measure.
void print_measures(std::ostream& out);

}  // namespace perfsift::tools
