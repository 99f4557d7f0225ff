// The command line of perfsift bench.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "options/command_line.h"
#include "tools/bench/recorder.h"
#include "tools/check/rule_options.h"

namespace perfsift::tools {

// A command that is recorded.
struct BenchCommand {
  std::string name;                // "baseline", "candidate", or "command" where there is one only
  std::vector<std::string> words;  // what perf record starts
};

struct BenchOptions {
  std::vector<BenchCommand> commands;  // one or two
  RecordSettings recording;
  unsigned runs = 10;
  unsigned warmup = 1;
  std::string prepare;                 // a command of the shell; empty: none
  std::vector<std::string> baselines;  // files that one command is compared with
  std::string budget;                  // a file of assertions about the recordings; empty: none
  std::string output;                  // of one command: the stored profile; of a judgement: the result
  std::string keep;                    // the folder that gets the recordings; empty: they are not kept
  RuleOptions rules;                   // of check
  bool json = false;
  bool quiet = false;

  bool compares() const { return commands.size() == 2 || !baselines.empty(); }
  bool judges() const { return compares() || !budget.empty(); }
  void add_to(options::po::options_description& description);
  // Call it after the options have been parsed. `behind_dashes`: the words of a command. Throws UsageError.
  void complete(const std::vector<std::string>& behind_dashes);

 private:
  void set_commands(const std::vector<std::string>& behind_dashes);
  void check() const;
  void check_budget() const;

  std::vector<std::string> texts_;  // commands of the shell
};

}  // namespace perfsift::tools
