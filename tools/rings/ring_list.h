// perfsift rings --list: the maps that are rings, and who uses them.
#pragma once

#include <iosfwd>

namespace perfsift::tools {

// A line for each map, or an object of JSON. Throws Error if the kernel does not list maps.
void print_rings(bool json, std::ostream& out);

}  // namespace perfsift::tools
