// perfsift dlfilter: lists dlfilters, describes one, and tests one.

#include <iostream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/beside_program.h"
#include "base/error.h"
#include "base/printable.h"
#include "output/files/output_file.h"
#include "output/files/run_files.h"
#include "tools/command.h"
#include "tools/dlfilter/child_process.h"
#include "tools/dlfilter/filter_test.h"
#include "tools/dlfilter/module_info.h"
#include "tools/dlfilter/module_list_text.h"

namespace perfsift::tools {
namespace {

struct DlfilterCommand : CommandRun {
  std::vector<std::string> words;  // what to do, and with what
  std::vector<std::string> arguments;
  bool verbose = false;

  void add_to(options::po::options_description& options) override {
    auto add = options.add_options();
    add("dlarg", options::po::value(&arguments)->value_name("ARG")->composing(), "test: an argument for the filter");
    add("verbose,v", options::po::bool_switch(&verbose), "list: show the full description of each filter");
    add("words", options::po::value(&words)->value_name("WORD")->composing(), "the subcommand and its arguments");
  }
  int run(const options::Arguments& typed) override;
};

// The recording is installed with perfsift; in a build folder, it lies beside the program.
std::string shipped_recording() {
  if (const auto found = beside_program({"../share/perfsift/demo.data", "share/perfsift/demo.data"})) return *found;
  throw InputError("no recording to test with is installed; name one");
}

int list(const DlfilterCommand& command) {
  std::vector<std::string> folders(command.words.begin() + 1, command.words.end());
  if (folders.empty()) folders = dlfilter::modules_folders();
  print_dlfilters(folders, command.verbose);
  return done;
}

int info(const std::string& name) {
  const ChildOutcome outcome =
      in_child_process(60, [&](const Tell& tell) { tell(module_info(dlfilter::LoadedModule(name))); });
  if (!outcome.problem.empty()) {
    throw InputError(outcome.said.empty() ? fmt::format("dlfilter {}: {}", name, outcome.problem) : outcome.said);
  }
  std::cout << outcome.said;
  return done;
}

int test(const dlfilter::FilterRequest& request, const std::string& recording) {
  output::RunFiles files;
  files.reads(recording);
  files.writes(output::OutputFile::standard_output);
  bool well = true;
  for (const Finding& finding : test_filter(request, recording)) {
    const bool passed = finding.problems.empty();
    well = well && passed;
    if (passed || !finding.result.empty()) {
      std::cout << fmt::format("{:<9}{}: {}\n", passed ? "ok" : "", finding.check, printable(finding.result));
    }
    for (const std::string& problem : finding.problems) {
      std::cout << fmt::format("{:<9}{}: {}\n", "PROBLEM", finding.check, printable(problem));
    }
  }
  return well ? done : check_failed;
}

int DlfilterCommand::run(const options::Arguments&) {
  const std::string verb = words.empty() ? "" : words.front();
  if (verb == "list") return list(*this);
  if (verb == "info" && words.size() == 2) return info(words[1]);
  if (verb == "test" && (words.size() == 2 || words.size() == 3)) {
    return test({.name = words[1], .arguments = arguments}, words.size() == 3 ? words[2] : shipped_recording());
  }
  throw UsageError("dlfilter: say list, info FILTER.so or test FILTER.so; --help shows their forms");
}

}  // namespace

extern const Command dlfilter_command{
    .name = "dlfilter",
    .summary = "list, describe and test dlfilters",
    .usage =
        "Usage: perfsift dlfilter list [-v] [FOLDER...]\n"
        "       perfsift dlfilter info FILTER.so\n"
        "       perfsift dlfilter test [--dlarg ARG]... FILTER.so [RECORDING]\n\n"
        "Lists dlfilters, describes one, and tests one for mistakes that perf does not check.\n",
    .positional = "words",
    .start = start<DlfilterCommand>,
};

}  // namespace perfsift::tools
