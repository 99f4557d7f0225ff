// Lists of dlfilters, as `perf script --list-dlfilters` prints them.
#pragma once

#include <string>
#include <vector>

namespace perfsift::tools {

// Those in each folder, on standard output; with `verbose` all they say about themselves.
void print_dlfilters(const std::vector<std::string>& folders, bool verbose);

}  // namespace perfsift::tools
