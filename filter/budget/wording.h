// An assertion in words.
#pragma once

#include <string>

#include "filter/budget/budget.h"

namespace perfsift::filter {

// "the share of samples with the function "malloc" on their stack".
std::string measured_in_words(const Assertion& assertion);
// "must be below 2%".
std::string limit_in_words(const Assertion& assertion);
// The data that recordings must have, so that the assertion can be judged: "callchains (perf record -g)".
std::string needs_in_words(const Assertion& assertion);

}  // namespace perfsift::filter
