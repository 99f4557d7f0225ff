// Lists of dlfilters, as `perf script --list-dlfilters` prints them.
#pragma once

#include <string>
#include <vector>

namespace perfsift::tools {

// Prints the dlfilters of each folder on standard output; with `verbose`, with their long descriptions.
void print_dlfilters(const std::vector<std::string>& folders, bool verbose);

}  // namespace perfsift::tools
