#include "tools/program.h"

#include <filesystem>
#include <iostream>
#include <string>

#include <fmt/format.h>

#include "base/error.h"
#include "base/printable.h"
#include "tools/command.h"
#include "tools/manual_page.h"
#include "tools/other_tools.h"

namespace perfsift::tools {
namespace {

void print_commands() {
  std::cout << "Usage: perfsift COMMAND [OPTIONS] [FILE...]\n"
               "       perfsift FILE [OPTIONS]\n\n"
               "Reads what `perf record` writes. Without a command, shows the report of the file. The commands:\n";
  for (const Command* const command : commands())
    std::cout << fmt::format("  {:<12} {}\n", command->name, command->summary);
  std::cout << "\n`perfsift COMMAND --help` shows a command's options, `perfsift help COMMAND` its manual page.\n";
}

[[noreturn]] void refuse_command(const std::string& name) {
  if (name.starts_with('-')) {
    throw UsageError(
        printable("'" + name + "': options follow the command or the file; `perfsift --help` lists the commands"));
  }
  throw UsageError(printable("'" + name + "': no such command, and no such file; " + instead_of_command(name)));
}

// `perfsift help fold`: the manual page on a terminal where the page is installed, otherwise the options.
int help(const options::Arguments& arguments) {
  if (arguments.empty()) return print_commands(), done;
  const Command* const command = find_command(arguments.front());
  if (arguments.size() > 1) throw UsageError("help: name one command");
  if (command == nullptr) refuse_command(arguments.front());
  if (show_manual_page("perfsift-" + arguments.front())) return done;
  return run_command(*command, {"--help"});
}

}  // namespace

int run_program(const options::Arguments& arguments) {
  if (arguments.empty()) return print_commands(), wrong_usage;
  const std::string& first = arguments.front();
  const options::Arguments rest(arguments.begin() + 1, arguments.end());
  if (first == "--help" || first == "-h") return print_commands(), done;
  if (first == "help") return help(rest);
  if (const Command* const command = find_command(first)) return run_command(*command, rest);
  std::error_code none;
  if (first != "-" && !std::filesystem::exists(first, none)) refuse_command(first);
  return run_command(*find_command("report"), arguments);  // `perfsift perf.data`, `perf record -o - … | perfsift -`
}

}  // namespace perfsift::tools
