// perfsift: a table of commands.

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/path.h"
#include "base/printable.h"
#include "output/files/standard_output.h"
#include "output/files/unfinished_files.h"
#include "tools/command.h"
#include "tools/perf_to_profile.h"

namespace {

using namespace perfsift;
using namespace perfsift::tools;

constexpr Command commands[] = {
    {"c2c", "show the cache lines that threads share", tools::c2c},
    {"diff", "show what changed from one profile to another", diff},
    {"dlfilter", "list dlfilters, say what one is, test one", tools::dlfilter},
    {"explain", "show what a filter's expression means and costs", explain},
    {"export", "write profiles for pprof and other viewers", export_profile},
    {"filter", "write recordings that hold fewer samples", tools::filter},
    {"flame", "draw a flame graph, as SVG or HTML", flame},
    {"fold", "write folded stacks, the input of flame graphs", fold},
    {"info", "show what a recording holds and what it lost", info},
    {"mem", "what memory accesses found, and how long they took", tools::mem},
    {"offcpu", "where the time went when threads were not running", tools::offcpu},
    {"report", "show where the samples are, as a table", tools::report},
    {"script", "print samples and records as `perf script` does", script},
    {"symbolize", "functions and source lines of addresses, as addr2line does", tools::symbolize},
    {"view", "show profiles as a page: graphs, tables, time", view},
};

void print_help() {
  std::cout << "Usage: perfsift COMMAND [OPTIONS] [FILE...]\n"
               "       perfsift FILE [OPTIONS]\n\n"
               "Reads what `perf record` writes. Without a command, shows the report of the file. The commands:\n";
  for (const Command& command : commands) std::printf("  %-12s %s\n", command.name, command.summary);
  std::cout << "\n`perfsift COMMAND --help` shows a command's options.\n";
}

// `perfsift perf.data` shows its report.
int run(const std::string& name, options::Arguments arguments) {
  for (const Command& command : commands) {
    if (command.name == name) return command.run(arguments);
  }
  if (std::error_code none; !std::filesystem::exists(name, none)) {
    throw UsageError(
        printable("'" + name + "': no such command, and no such file; `perfsift --help` lists the commands"));
  }
  arguments.insert(arguments.begin(), name);
  return tools::report(arguments);
}

}  // namespace

int main(int argc, char** argv) {
  output::fill_closed_descriptors();
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is found when writing
  output::remove_unfinished_files_on_signals();
  const options::Arguments arguments(argv + std::min(argc, 1), argv + argc);
  if (argc > 0 && base_name(argv[0]) == perf_to_profile_name)
    return with_errors_told([&] { return perf_to_profile(arguments); });
  const std::string_view first = argc > 1 ? argv[1] : "--help";
  return with_errors_told([&]() -> int {
    if (first == "--help" || first == "-h" || first == "help") return print_help(), argc > 1 ? done : wrong_usage;
    if (first == "--version") return std::puts("perfsift " PERFSIFT_VERSION), done;
    return run(std::string(first), options::Arguments(arguments.begin() + 1, arguments.end()));
  });
}
