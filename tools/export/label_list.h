// The argument of --labels.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "output/pprof/labels.h"

namespace perfsift::tools {

// Names between commas. Throws UsageError for an unknown name.
output::PprofLabels labels_of(const std::string& list);
// All names.
std::vector<std::string_view> label_names();

}  // namespace perfsift::tools
