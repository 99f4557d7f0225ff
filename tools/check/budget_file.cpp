#include "tools/check/budget_file.h"

#include "analysis/input/whole_file.h"

namespace perfsift::tools {

filter::Budget read_budget(const std::string& path) {
  return filter::parse_budget({.origin = path, .text = analysis::whole_file(path)});
}

}  // namespace perfsift::tools
