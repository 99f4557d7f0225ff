// The filters of `perfsift offcpu --in-kernel`: BPF programs leave out the waits that their constants and maps decide
// on. The reader decides all of it once more, and the rest.
//
//   tid == 7 && blocked > 50us && stack has (sym == "read")
//
//   tid == 7                      the map of threads
//   blocked > 50us                the shortest wait: a wait of less than 50 us is not blocked for longer; and the
//   reader stack has (sym == "read")     the reader
//
// The programs leave out no wait that the expression keeps.
#pragma once

#include <string>
#include <vector>

#include "analysis/offcpu/interval_filter.h"
#include "filter/filter.h"
#include "record/waits/wait_plan.h"

namespace perfsift::tools {

void limit(record::WaitPlan& plan, const offcpu::IntervalLimits& limits);

// `filter`: of intervals; `plan`: has the limits already. Returns a sentence for each part of the expression.
std::vector<std::string> limit(record::WaitPlan& plan, const filter::Filter& filter);

}  // namespace perfsift::tools
