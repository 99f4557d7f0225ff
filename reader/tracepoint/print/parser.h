// Reads the arguments of a tracepoint's print format, `REC->pid, __print_flags(REC->flags, "|", { 1, "A" })`.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "reader/tracepoint/field.h"
#include "reader/tracepoint/print/expression.h"

namespace perfsift::reader::print {

// Nothing when an argument is not understood: an unknown function, name or type, a pointer into kernel memory that is
// followed, an undeclared field, or too many levels. Names in the lists of __print_flags() and __print_symbolic() may
// be unknown; such entries are dropped, and their values print as numbers.
std::optional<std::vector<Expression>> parse_arguments(std::string_view text,
                                                       const std::vector<TracepointField>& fields, unsigned long_size);

}  // namespace perfsift::reader::print
