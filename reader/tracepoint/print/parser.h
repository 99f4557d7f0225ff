// Reads the arguments of a tracepoint's print format, `REC->pid, __print_flags(REC->flags, "|", { 1, "A" })`.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "reader/tracepoint.h"
#include "reader/tracepoint/print/expression.h"

namespace perfsift::reader::print {

// Nothing when any of them is more than we understand: a function, a name or a type that is not known, memory of the
// kernel that is followed, a field that is not declared, or too deep a nesting. Names in the lists of __print_flags()
// and __print_symbolic() may be unknown; their texts are left out, and such values show as numbers.
std::optional<std::vector<Expression>> parse_arguments(std::string_view text,
                                                       const std::vector<TracepointField>& fields, unsigned long_size);

}  // namespace perfsift::reader::print
