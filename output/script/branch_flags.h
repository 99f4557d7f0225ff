// The flags of one branch of a branch stack, as text.
#pragma once

#include <string_view>

#include "analysis/samples/style.h"
#include "output/text_writer.h"
#include "reader/format/sample.h"

namespace perfsift::output {

// "/P/-/-/0/COND ": predicted, in a transaction, aborted, cycles, type; newer perf adds the
// speculation. print_bstack_flags() in tools/perf/builtin-script.c. `architecture` as in Features.
void print_branch_flags(TextWriter& out, const reader::BranchEntry& branch, analysis::PerfStyle style,
                        std::string_view architecture);

}  // namespace perfsift::output
