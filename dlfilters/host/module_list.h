// The dlfilters in a folder.
#pragma once

#include <string>
#include <vector>

#include "dlfilters/host/module.h"

namespace perfsift::dlfilter {

struct ListedModule {
  std::string name;  // of the file
  Description description;
  std::string problem;  // why it cannot be loaded; else empty
};

// The shared objects that define a filter, and those that cannot be loaded, by name. Each is loaded, so its code runs.
std::vector<ListedModule> list_modules(const std::string& folder);

}  // namespace perfsift::dlfilter
