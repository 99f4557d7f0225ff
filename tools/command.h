// A command of perfsift as data, its run, and how all runs end: errors and exit statuses.
//
// Each command is in a file of tools/commands/ that ends with its data: see c2c.cpp, the shortest.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "options/command_line.h"
#include "output/files/output_file.h"

namespace perfsift::tools {

// The exit status of a run. Where several apply: the first of wrong_usage, input_unusable, cannot_judge, check_failed,
// partly_read.
enum ExitStatus : int {
  done = 0,
  check_failed = 1,  // a check or budget said no (--max-lost …)
  wrong_usage = 2,
  input_unusable = 3,
  partly_read = 4,   // done, but only part of the input could be read
  cannot_judge = 5,  // perfsift check: the data cannot bear a judgement
};

// One run of a command: the variables that its options set, and what it does with them.
class CommandRun {
 public:
  CommandRun() = default;
  virtual ~CommandRun() = default;
  CommandRun(const CommandRun&) = delete;
  CommandRun& operator=(const CommandRun&) = delete;

  // Adds the options, which set variables of this object.
  virtual void add_to(options::po::options_description& options) = 0;
  // The typed words that are options of the command, and their values.
  virtual options::Arguments own_words(const options::Arguments& words) const { return words; }
  // Takes each option and its value in the order of the command line, after the variables have been set.
  virtual void take(const std::string& /*option*/, const std::string& /*value*/) {}
  // Runs the command, and returns the exit status. `words`: as they were typed.
  virtual int run(const options::Arguments& words) = 0;
};

// The run of a command whose options are a struct of their own.
template <typename Options, int (*run_with)(Options& options)>
struct RunWith : CommandRun {
  Options wanted;

  void add_to(options::po::options_description& options) override { wanted.add_to(options); }
  int run(const options::Arguments& /*words*/) override { return run_with(wanted); }
};

template <typename Run>
std::unique_ptr<CommandRun> start() {
  return std::make_unique<Run>();
}

struct Command {
  std::string_view name;
  std::string_view summary;          // a line of `perfsift --help`
  const char* usage;                 // what --help shows before the options
  const char* positional = nullptr;  // the option that takes the words without an option; nullptr: there are none
  std::unique_ptr<CommandRun> (*start)();
};

// The commands, in the order in which `perfsift --help` shows them.
std::span<const Command* const> commands();
// nullptr: there is no such command.
const Command* find_command(std::string_view name);

// The options of a command. Nothing runs.
std::vector<options::OptionFact> options_of(const Command& command);

// Parses the words behind the name of the command. nullptr: they asked for its help, which is printed. `each`: see
// options::parse(). Throws UsageError.
std::unique_ptr<CommandRun> parse_command(const Command& command, const options::Arguments& words,
                                          const options::EachOption& each = {});
// parse_command(), and runs the command. Throws what the run throws.
int run_command(const Command& command, const options::Arguments& words);

// Calls write(), which writes the result of a command, and commits the file. A reader of standard output that has gone
// is no error: what follows the result, such as messages and the exit status, is wanted anyway. `output`: see
// OutputFile.
void write_output(const std::string& output, const std::function<void(output::OutputFile&)>& write);

// Runs a command: the one place where errors become messages and exit statuses. Output that did not arrive on standard
// output is an error.
int with_errors_told(const std::function<int()>& run);

}  // namespace perfsift::tools
