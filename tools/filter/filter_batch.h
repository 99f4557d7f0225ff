// Many recordings, one after the other or several at once.
#pragma once

#include <vector>

#include "tools/filter/filter_jobs.h"
#include "tools/filter/filter_recording.h"

namespace perfsift::tools {

// Runs all jobs; a job that fails does not stop the others. All threads read one of few recordings; each thread reads
// its own of many. The results are in the order of the jobs. Throws OutputClosed.
std::vector<FilterResult> filter_all(const std::vector<FilterJob>& jobs, const FilterTask& task, unsigned threads,
                                     bool quiet);

}  // namespace perfsift::tools
