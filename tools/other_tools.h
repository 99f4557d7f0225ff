// Commands and options of other tools (perf, pprof, FlameGraph, ...), and what perfsift has instead: for people who
// type what they know.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace perfsift::tools {

// Commands of other tools that have one answer.
struct OtherCommand {
  std::string_view names;    // between blanks
  std::string_view instead;  // a command line; empty: only perf does this
  std::string_view why;      // a sentence without its full stop
};
std::span<const OtherCommand> other_commands();

// Options of other tools that have one answer.
struct OtherOption {
  std::string_view command;  // of perfsift
  std::string_view names;    // between blanks, with their dashes
  std::string_view why;      // a sentence without its full stop
};
std::span<const OtherOption> other_options();

// The advice for a name that is no command: the answer for a command of another tool, otherwise the command
// with the nearest name, otherwise where the commands are listed.
std::string instead_of_command(std::string_view name);
// The advice for an unknown option; empty if no other tool has the option. `option`: with its dashes.
std::string_view instead_of_option(std::string_view command, std::string_view option);

}  // namespace perfsift::tools
