// The options that say what perfsift check calls a change, and what keeps it from judging.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "analysis/gate/verdict.h"
#include "options/command_line.h"

namespace perfsift::tools {

// Must not move between add_to() and the parsing of the command line.
class RuleOptions {
 public:
  void add_to(options::po::options_description& description);
  // Call it after the options have been parsed. Throws UsageError.
  void prepare();

  const analysis::Rules& rules() const { return rules_; }
  // The reasons that do not keep check from judging.
  const std::set<std::string, std::less<>>& allowed() const { return allowed_; }
  // The options as they were given, for a command that calls check.
  const options::Arguments& given() const { return given_; }

 private:
  analysis::Rules rules_;
  std::set<std::string, std::less<>> allowed_;
  options::Arguments given_;
  double level_ = 5, min_effect_ = 1, min_ratio_ = 0;  // percent
  std::string per_ = "share", undecided_ = "pass", interrupts_ = "drop";
  std::vector<std::string> allow_;
};

}  // namespace perfsift::tools
