// perfsift merge: several inputs in one stored profile, in which each input is a run.

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

struct MergeCommand : CommandRun {
  ProfileCommand inputs;
  analysis::StackOptions stacks;
  std::string output;
  bool one_run = false;

  void add_to(options::po::options_description& description) override;
  int run(const options::Arguments& words) override;

 private:
  void prepare();
  void check_output() const;

  options::FoldedStackOptions frames_{options::FoldedStackOptions::NamedBy::perfsift};
};

void MergeCommand::add_to(options::po::options_description& description) {
  auto add = description.add_options();
  add("output,o", options::po::value(&output)->value_name("FILE"),
      "where to write: NAME.pb.gz, or - for standard output");
  add("one-run", options::po::bool_switch(&one_run), "store all inputs as one run");
  frames_.add_frames_to(description);
  inputs.add_to(description);
}

void MergeCommand::prepare() {
  if (output.empty()) throw UsageError("merge needs an output: -o NAME.pb.gz");
  stacks = stored_stacks(frames_.stacks());
  inputs.prepare();
  inputs.fail_if_empty();
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

int MergeCommand::run(const options::Arguments&) {
  prepare();
  check_output();
  analysis::Profile profile;
  const std::deque<ReadInput> read = inputs.read_apart(profile, stacks, true);
  // A file without some of its runs would look whole.
  const bool all_usable = std::ranges::all_of(inputs.reports(), &InputReport::usable);
  if (all_usable && inputs.any_kept()) {
    const RunStore store = store_of(*this, profile, read);
    inputs.write(output, [&](output::OutputFile& out) { store.write(inputs.threads(), out); });
  }
  return inputs.conclude();
}

}  // namespace

extern const Command merge_command{
    .name = "merge",
    .summary = "store runs of a measurement in one profile",
    .usage =
        "Usage: perfsift merge [OPTIONS] -o FILE INPUT...\n\nWrites recordings and other profiles into one profile of "
        "pprof, in which each\ninput is a run.\n",
    .positional = ReadingOptions::positional,
    .start = start<MergeCommand>,
};

}  // namespace perfsift::tools
