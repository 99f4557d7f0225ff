// perfsift: a table of commands.

#include <csignal>
#include <cstdio>
#include <iostream>
#include <string_view>

#include "base/error.h"
#include "tools/command.h"

namespace {

using namespace perfsift;
using namespace perfsift::tools;

constexpr Command commands[] = {
    {"explain", "show what a filter's expression means and costs", explain},
    {"fold", "write folded stacks, the input of flame graphs", fold},
    {"info", "show what a recording holds and what it lost", info},
    {"script", "print samples and records as `perf script` does", script},
    {"symbolize", "functions and source lines of addresses, as addr2line does", tools::symbolize},
};

void print_help() {
  std::cout << "Usage: perfsift COMMAND [OPTIONS] [FILE...]\n\n"
               "Reads what `perf record` writes. The commands:\n";
  for (const Command& command : commands) std::printf("  %-12s %s\n", command.name, command.summary);
  std::cout << "\n`perfsift COMMAND --help` shows a command's options.\n";
}

int run(std::string_view name, const Arguments& arguments) {
  for (const Command& command : commands) {
    if (command.name == name) return command.run(arguments);
  }
  throw UsageError("'" + std::string(name) + "': no such command; `perfsift --help` lists them");
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is found when writing
  const std::string_view first = argc > 1 ? argv[1] : "--help";
  if (first == "--help" || first == "-h" || first == "help") return print_help(), argc > 1 ? done : wrong_usage;
  if (first == "--version") return std::puts("perfsift " PERFSIFT_VERSION), done;
  return with_errors_told([&] { return run(first, Arguments(argv + 2, argv + argc)); });
}
