// The parts of an expression of perfsift record --keep, for perfsift explain.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace perfsift::tools {

// Prints what the kernel and what the recorder decide, for all threads of this machine. `events`: the names of the
// events; none: the events that the expression names, or cycles. Throws UsageError for an expression that --keep
// refuses.
void print_record_parts(const std::string& expression, std::vector<std::string> events, std::ostream& out);

}  // namespace perfsift::tools
