// The command line of perfsift check.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analysis/gate/verdict.h"
#include "filter/budget/budget.h"
#include "options/folded_stack_options.h"
#include "output/files/output_file.h"
#include "tools/check/ci_outputs.h"
#include "tools/check/history_options.h"
#include "tools/check/rule_options.h"
#include "tools/profile/profile_command.h"

namespace perfsift::tools {

struct CheckOptions {
  // The groups of ProfileCommand.
  static constexpr std::size_t baseline = 0, candidate = 1;

  ProfileCommand inputs;
  analysis::StackOptions stacks;
  std::string output = output::OutputFile::standard_output;
  bool json = false;
  std::optional<filter::Budget> budget;
  CiOutputs ci;
  HistoryOptions history;

  analysis::Rules rules() const;
  // The reasons that do not keep check from judging.
  const std::set<std::string, std::less<>>& allowed() const { return rules_.allowed(); }
  // Without a baseline, only a budget is judged.
  bool has_baseline() const { return has_baseline_; }
  void note_files(output::RunFiles& files) const;

  void add_to(options::po::options_description& description);
  // Call it after the options have been parsed, and again to begin anew. Throws UsageError.
  void prepare();

 private:
  std::vector<std::vector<std::string>> sides();
  std::vector<std::vector<std::string>> sides_with_history();

  options::FoldedStackOptions frames_{options::FoldedStackOptions::NamedBy::perfsift};
  std::vector<std::string> baseline_, candidate_;
  RuleOptions rules_;
  std::string budget_file_;
  bool has_baseline_ = true;
};

}  // namespace perfsift::tools
