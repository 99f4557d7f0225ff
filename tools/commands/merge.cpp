// perfsift merge: several inputs in one stored profile, where each stays a run of its own.

#include <algorithm>
#include <deque>
#include <string>
#include <vector>

#include <unistd.h>

#include "base/error.h"
#include "options/folded_stack_options.h"
#include "output/files/run_files.h"
#include "tools/command.h"
#include "tools/gate/run_store.h"
#include "tools/profile/profile_command.h"

namespace perfsift::tools {
namespace {

struct MergeCommand {
  ProfileCommand inputs;
  analysis::StackOptions stacks;
  std::string output;
  bool one_run = false;

  bool parse_arguments(const options::Arguments& arguments);
  void check_output() const;

 private:
  options::FoldedStackOptions frames_{options::FoldedStackOptions::NamedBy::perfsift};
};

bool MergeCommand::parse_arguments(const options::Arguments& arguments) {
  options::po::options_description description("Options");
  auto add = description.add_options();
  add("output,o", options::po::value(&output)->value_name("FILE"),
      "where to write: NAME.pb.gz, or - for standard output");
  add("one-run", options::po::bool_switch(&one_run), "all inputs are one run together");
  frames_.add_frames_to(description);
  inputs.add_to(description);
  if (!options::parse(
          arguments,
          "Usage: perfsift merge [OPTIONS] -o FILE INPUT...\n\nWrites recordings and other profiles into one "
          "profile of pprof, in which each is a run of\nits own.\n",
          description, ReadingOptions::positional)) {
    return false;
  }
  if (output.empty()) throw UsageError("merge needs an output: -o NAME.pb.gz");
  stacks = stored_stacks(frames_.stacks());
  inputs.prepare();
  inputs.fail_if_empty();
  return true;
}

void MergeCommand::check_output() const {
  inputs.check_output(output);
  if (output::OutputFile::is_standard_output(output) && isatty(STDOUT_FILENO) == 1)
    throw UsageError("a profile of pprof is not for terminals; write it to a file with -o FILE, or to a pipe");
}

// Inputs in the order of their names, so that the order of the arguments does not matter.
RunStore store_of(const MergeCommand& command, const analysis::Profile& profile, const std::deque<ReadInput>& read) {
  const std::vector<InputReport>& reports = command.inputs.reports();
  std::vector<InputOfRuns> inputs;
  for (std::size_t i = 0; i < reports.size(); ++i) inputs.push_back({.report = &reports[i], .read = &read[i]});
  std::ranges::stable_sort(inputs, {}, [](const InputOfRuns& input) { return input.report->path; });
  return RunStore(profile, inputs, command.one_run);
}

}  // namespace

int merge(const options::Arguments& arguments) {
  MergeCommand command;
  if (!command.parse_arguments(arguments)) return done;
  command.check_output();
  symbolize::Symbolizer symbolizer(command.inputs.symbolize_options());
  analysis::Profile profile;
  const std::deque<ReadInput> read = command.inputs.read_apart(profile, command.stacks, symbolizer, true);
  // A file without some of its runs would look whole.
  const bool all_usable = std::ranges::all_of(command.inputs.reports(), &InputReport::usable);
  if (all_usable && command.inputs.any_kept()) {
    const RunStore store = store_of(command, profile, read);
    command.inputs.write(command.output, [&](output::OutputFile& out) { store.write(command.inputs.threads(), out); });
  }
  return command.inputs.conclude(symbolizer);
}

}  // namespace perfsift::tools
