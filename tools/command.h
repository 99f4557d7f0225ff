// A command of perfsift, and how all of them end: errors and exit statuses.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

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

struct Command {
  std::string_view name;
  std::string_view summary;
  int (*run)(const options::Arguments& arguments);
};

// The commands, in the order in which `perfsift --help` shows them.
std::span<const Command> commands();
// nullptr: there is no such command.
const Command* find_command(std::string_view name);

// Each command has one file in tools/commands/.
int bench(const options::Arguments& arguments);
int c2c(const options::Arguments& arguments);
int check(const options::Arguments& arguments);
int completion(const options::Arguments& arguments);
int diff(const options::Arguments& arguments);
int dlfilter(const options::Arguments& arguments);
int explain(const options::Arguments& arguments);
int export_profile(const options::Arguments& arguments);
int filter(const options::Arguments& arguments);
int flame(const options::Arguments& arguments);
int fold(const options::Arguments& arguments);
int info(const options::Arguments& arguments);
int mem(const options::Arguments& arguments);
int merge(const options::Arguments& arguments);
int offcpu(const options::Arguments& arguments);
int report(const options::Arguments& arguments);
int script(const options::Arguments& arguments);
int symbolize(const options::Arguments& arguments);
int view(const options::Arguments& arguments);

// Calls write(), which writes the result of a command, and commits the file. A reader of standard output that has gone
// is no error: what follows the result, such as messages and the exit status, is wanted anyway. `output`: see
// OutputFile.
void write_output(const std::string& output, const std::function<void(output::OutputFile&)>& write);

// Runs a command: the one place where errors become messages and exit statuses. Output that did not arrive on standard
// output is an error.
int with_errors_told(const std::function<int()>& run);

}  // namespace perfsift::tools
