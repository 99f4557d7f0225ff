#include "tools/profile/quality_tables.h"

#include <iostream>

namespace perfsift::tools {

void QualityTables::add_to(options::po::options_description& options) {
  auto add = options.add_options();
  add("unresolved", options::po::bool_switch(&unresolved_), "print which addresses have no name, why, and what to do");
  add("incomplete", options::po::bool_switch(&incomplete_),
      "print which stacks do not reach their thread's start, why, and what to do");
}

void QualityTables::print(const analysis::Quality& quality) const {
  if (unresolved_) std::cerr << analysis::unresolved_table(quality);
  if (incomplete_) std::cerr << analysis::incomplete_table(quality);
}

}  // namespace perfsift::tools
