// The result of an assertion in words.
#pragma once

#include <string>

#include "analysis/gate/verdict.h"

namespace perfsift::output {

// "1.23 %", "45.1 us", "12".
std::string measured_text(analysis::AssertionUnit unit, double value);
// "measured 1.23 % (1.1 % to 1.36 %), limit 2 %; no sample has it". Without control characters.
std::string assertion_sentence(const analysis::AssertionResult& result);

}  // namespace perfsift::output
