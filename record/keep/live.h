// What is known of a sample while it is recorded.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "filter/filter.h"
#include "record/keep/condition.h"

namespace perfsift::record {

// Throws UsageError if the filter asks for something that is known only after recording: names of code, stacks, later
// samples, the end of the recording. The message names the part, and the command that filters afterwards. `option`: of
// the expression.
void check_live(const filter::Filter& filter, const std::string& expression, std::string_view option = "--keep");

// The bits of sample_type without which the fact is unknown; 0: none is needed.
std::uint64_t field_of(filter::Fact fact);
// The bits of sample_type that a sample must have so that the condition can be decided.
std::uint64_t sample_fields_of(const Condition& condition);

}  // namespace perfsift::record
