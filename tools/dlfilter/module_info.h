// What a dlfilter is, in a few lines.
#pragma once

#include <string>

#include "dlfilters/host/module.h"

namespace perfsift::tools {

// "start, stop, filter_event"
std::string entry_points_text(const dlfilter::LoadedModule& module);
// Its file, description, entry points, table of functions and mistakes, each on a line.
std::string module_info(const dlfilter::LoadedModule& module);

}  // namespace perfsift::tools
