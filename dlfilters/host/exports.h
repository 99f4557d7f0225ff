// Entry points that a dlfilter should export and, by a mistake of its author, does not.
#pragma once

#include <string>
#include <vector>

namespace perfsift::dlfilter {

// perf looks entry points up by name, and does not report one that is missing. A sentence for each entry point that is
// in the file, but hidden or with a mangled C++ name. The file is not loaded.
std::vector<std::string> export_mistakes(const std::string& path);

}  // namespace perfsift::dlfilter
