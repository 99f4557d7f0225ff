// The options of modules that say which samples count: --filter, and the short forms of expressions.
#pragma once

#include <string>
#include <vector>

#include "filter/filter.h"
#include "options/access_options.h"
#include "options/command_line.h"

namespace perfsift::dlfilter {

class FilterOptions {
 public:
  void add_to(options::po::options_description& description);
  // The expressions of the options, for PerfFilter. Call it after the options have been parsed.
  std::vector<filter::FilterText> texts() const;

 private:
  std::vector<std::string> expressions_;
  options::AccessOptions accesses_;
};

}  // namespace perfsift::dlfilter
