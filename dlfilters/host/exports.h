// What a dlfilter should export and, by a mistake of its author, does not.
#pragma once

#include <string>
#include <vector>

namespace perfsift::dlfilter {

// perf finds its entry points by name, and what it does not find it does not miss. A sentence for each one that is in
// the file, but hidden, or with the name that C++ gives it. The file is not loaded.
std::vector<std::string> export_mistakes(const std::string& path);

}  // namespace perfsift::dlfilter
