// perfsift fold: recordings, text of perf script and folded stacks to folded stacks.

#include <iostream>

#include "analysis/profile/lost_frames.h"
#include "base/error.h"
#include "base/printable.h"
#include "options/folded_stack_options.h"
#include "output/folded/folded.h"
#include "tools/command.h"
#include "tools/compat/flamegraph.h"
#include "tools/profile/profile_command.h"

namespace perfsift::tools {
namespace {

// The options of the command line.
struct FoldCommand : CommandRun {
  ProfileCommand inputs;
  analysis::StackOptions stacks;
  std::string output = output::OutputFile::standard_output;
  std::string compat;
  bool source_lines = false;
  bool lost_frames = false;

  void add_to(options::po::options_description& description) override;
  int run(const options::Arguments& words) override;
  analysis::StackcollapseOptions stackcollapse_options() const;
  output::SampleOptions perf_text_options() const;

 private:
  void prepare();

  options::FoldedStackOptions folding_{options::FoldedStackOptions::NamedBy::perfsift};
};

void FoldCommand::add_to(options::po::options_description& description) {
  auto add = description.add_options();
  add("output,o", options::po::value(&output)->value_name("FILE"), "where to write (standard output)");
  folding_.add_to(description);
  add("lost-frames", options::po::bool_switch(&lost_frames), "show losses as stacks: [lost samples], [lost records]");
  add("compat", options::po::value(&compat)->value_name("flamegraph"),
      "write exactly the output of stackcollapse-perf.pl");
  add("srcline", options::po::bool_switch(&source_lines), "with --compat flamegraph: use the source lines of the text");
  inputs.add_to(description);
}

void FoldCommand::prepare() {
  if (!compat.empty() && compat != "flamegraph") throw UsageError("--compat " + compat + ": there is flamegraph");
  if (source_lines && compat.empty()) throw UsageError("--srcline needs --compat flamegraph");
  stacks = folding_.stacks();
  inputs.prepare();
}

analysis::StackcollapseOptions FoldCommand::stackcollapse_options() const {
  const bool unknown_to_it = !stacks.comm || stacks.cgroup || stacks.shape != analysis::StackShape() || lost_frames ||
                             stacks.weight != analysis::Weight::period ||
                             stacks.frames.demangling != symbolize::DemangleStyle::plain || stacks.unwind.repair ||
                             inputs.events().size() > 1;
  if (unknown_to_it) {
    throw UsageError(
        "--compat flamegraph knows --with-pid, --with-tid, --annotate kernel,jit, --addresses, --srcline, --no-inline, "
        "--max-stack and one --event");
  }
  return {.pid = stacks.pid,
          .tid = stacks.tid,
          .kernel = stacks.frames.annotate_kernel,
          .jit = stacks.frames.annotate_jit,
          .addrs = stacks.frames.addresses,
          .srcline = source_lines,
          .event_filter = inputs.events().empty() ? "" : inputs.events().front()};
}

// The options that perf script would get, too.
output::SampleOptions FoldCommand::perf_text_options() const {
  output::SampleOptions options;
  options.max_stack = static_cast<unsigned>(stacks.unwind.max_frames);
  options.frames.inlines = stacks.frames.inlines;
  return options;
}

void fold_for_flamegraph(FoldCommand& command) {
  command.inputs.run().name_as_perf_6_1();
  symbolize::Symbolizer& symbolizer = command.inputs.symbolizer();
  const analysis::StackcollapseOptions options = command.stackcollapse_options();
  const auto notice = [&](std::string_view text) {
    if (!command.inputs.quiet()) std::cerr << printable(text) << '\n';
  };
  output::OutputFile out(command.output);
  command.inputs.take(fold_as_flamegraph(command.inputs.paths(), symbolizer, options, command.perf_text_options(),
                                         command.inputs.filter(), notice, out));
  out.commit();
}

void fold_inputs(FoldCommand& command) {
  analysis::Profile profile;
  command.inputs.read(profile, command.stacks);
  if (!command.inputs.any_usable()) return;
  command.inputs.keep_shown_events(profile);
  if (command.lost_frames) analysis::add_lost_frames(command.inputs.quality(), command.stacks.weight, profile);
  const bool several_events = profile.events_with_stacks().size() > 1;
  command.inputs.write(command.output, [&](output::OutputFile& out) {
    output::write_folded(profile, {.threads = command.inputs.threads(), .event_frame = several_events}, out);
  });
}

int FoldCommand::run(const options::Arguments&) {
  prepare();
  inputs.check_output(output);
  compat.empty() ? fold_inputs(*this) : fold_for_flamegraph(*this);
  return inputs.conclude();
}

}  // namespace

extern const Command fold_command{
    .name = "fold",
    .summary = "write folded stacks, the input of flame graphs",
    .usage =
        "Usage: perfsift fold [OPTIONS] [FILE|DIRECTORY...]\n\nWrites folded stacks, `comm;root;...;leaf COUNT`, of "
        "recordings, of text of perf script,\nand of folded stacks; several inputs are added up.\n",
    .positional = ReadingOptions::positional,
    .start = start<FoldCommand>,
};

}  // namespace perfsift::tools
