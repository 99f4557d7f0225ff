// A description of a dlfilter in a few lines.
#pragma once

#include <string>

#include "dlfilters/host/module.h"

namespace perfsift::tools {

// "start, stop, filter_event"
std::string entry_points_text(const dlfilter::LoadedModule& module);
// The file, description, entry points, table of functions and mistakes of a module, each on a line.
std::string module_info(const dlfilter::LoadedModule& module);

}  // namespace perfsift::tools
