// Many recordings, one after the other or several at once.
#pragma once

#include <vector>

#include "tools/filter/filter_jobs.h"
#include "tools/filter/filter_recording.h"

namespace perfsift::tools {

// Filters them all; one that fails does not stop the others. Of few recordings each is read by all threads, of many
// each by one. The results are in the order of the jobs. Throws OutputClosed.
std::vector<FilterResult> filter_all(const std::vector<FilterJob>& jobs, const FilterTask& task, unsigned threads,
                                     bool quiet);

}  // namespace perfsift::tools
