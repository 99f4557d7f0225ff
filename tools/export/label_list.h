// The argument of --labels.
#pragma once

#include <string>

#include "output/pprof/labels.h"

namespace perfsift::tools {

// Names between commas. Throws UsageError for an unknown name.
output::PprofLabels labels_of(const std::string& list);

}  // namespace perfsift::tools
