// A test bench for dlfilters: checks that perf does not make, and differences between versions of perf.
#pragma once

#include <string>
#include <vector>

#include "dlfilters/host/filter_chain.h"

namespace perfsift::tools {

struct Finding {
  std::string check;                  // "with perf 5.14"
  std::string result;                 // "109 samples, 106 kept, 0.1 us each"
  std::vector<std::string> problems;  // empty: it is well
};

// Loads the filter, calls stop() without start(), and runs the filter on the recording with each version of the
// interface. All of this happens in child processes, so that a crash is a finding too.
std::vector<Finding> test_filter(const dlfilter::FilterRequest& request, const std::string& recording);

}  // namespace perfsift::tools
