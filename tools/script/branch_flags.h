// The flags of one branch of a branch stack, as text.
#pragma once

#include <string_view>

#include "reader/sample.h"
#include "tools/script/style.h"
#include "tools/text_writer.h"

namespace perfsift::tools {

// "/P/-/-/0/COND ": predicted, in a transaction, aborted, cycles, type; newer perf adds the
// speculation. print_bstack_flags() in tools/perf/builtin-script.c. `architecture` as in Features.
void print_branch_flags(TextWriter& out, const reader::BranchEntry& branch, PerfStyle style,
                        std::string_view architecture);

}  // namespace perfsift::tools
