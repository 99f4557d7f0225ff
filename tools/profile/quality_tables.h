// The options that print addresses without a name, and incomplete stacks.
#pragma once

#include "analysis/profile/quality.h"
#include "options/command_line.h"

namespace perfsift::tools {

class QualityTables {
 public:
  // Adds --unresolved and --incomplete.
  void add_to(options::po::options_description& options);
  bool any() const { return unresolved_ || incomplete_; }
  // Prints the tables that the options ask for, on standard error.
  void print(const analysis::Quality& quality) const;

 private:
  bool unresolved_ = false;
  bool incomplete_ = false;
};

}  // namespace perfsift::tools
