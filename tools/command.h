// A command of perfsift, and what all commands share: parsing, help, exit status.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <boost/program_options.hpp>

namespace perfsift::tools {

namespace po = boost::program_options;

// What a run ends with. Of several the first of wrong_usage, input_unusable, check_failed, partly_read.
enum ExitStatus : int {
  done = 0,
  check_failed = 1,  // a check or budget said no (--max-lost …)
  wrong_usage = 2,
  input_unusable = 3,
  partly_read = 4,  // done, but only part of the input could be read
};

using Arguments = std::vector<std::string>;

struct Command {
  const char* name;
  const char* summary;
  int (*run)(const Arguments& arguments);
};

// The commands, in the order `perfsift --help` shows them. Each has one file in tools/commands/.
int dlfilter(const Arguments& arguments);
int explain(const Arguments& arguments);
int filter(const Arguments& arguments);
int fold(const Arguments& arguments);
int info(const Arguments& arguments);
int offcpu(const Arguments& arguments);
int script(const Arguments& arguments);
int symbolize(const Arguments& arguments);

// Runs a command: the one place where errors become messages and exit statuses. That something of standard output did
// not arrive is an error.
int with_errors_told(const std::function<int()>& run);

// Parses `arguments` into the variables `options` is bound to; `positional` names the option that
// takes what is left. False when --help was asked for and has been printed (with `usage` in front).
// Throws UsageError, with the nearest option's name where one is misspelt.
// `each`, where given, is called for every option and its value in the order of the command line.
using EachOption = std::function<void(const std::string& name, const std::string& value)>;
bool parse(const Arguments& arguments, const std::string& usage, po::options_description& options,
           const char* positional = nullptr, const EachOption& each = {});

}  // namespace perfsift::tools
