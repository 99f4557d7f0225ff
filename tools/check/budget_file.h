// A file of assertions, for the commands that read one.
#pragma once

#include <string>

#include "filter/budget/budget.h"

namespace perfsift::tools {

// `path`: "-" is standard input. Throws InputError, and what parse_budget() throws for mistakes in the text.
filter::Budget read_budget(const std::string& path);

}  // namespace perfsift::tools
