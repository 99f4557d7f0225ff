// perfsift export: recordings, text of perf script and folded stacks to the formats of other viewers.

#include <algorithm>

#include <fmt/format.h>
#include <unistd.h>

#include "base/counted.h"
#include "base/error.h"
#include "options/folded_stack_options.h"
#include "tools/command.h"
#include "tools/export/export_content.h"
#include "tools/export/export_format.h"
#include "tools/export/label_list.h"
#include "tools/profile/profile_command.h"

namespace perfsift::tools {
namespace {

// The options of the command line.
struct ExportCommand : CommandRun {
  ProfileCommand inputs;
  analysis::StackOptions stacks;
  const ExportFormat* format = nullptr;
  FormatOptions format_options;
  std::string output = output::OutputFile::standard_output;
  bool lost_frames = false;

  void add_to(options::po::options_description& description) override;
  int run(const options::Arguments& words) override;

 private:
  void prepare();
  // Throws UsageError if an input would be overwritten, or a terminal would get bytes.
  void check_output() const;

  options::FoldedStackOptions folding_{options::FoldedStackOptions::NamedBy::perfsift};
  std::string to_, labels_;
};

void ExportCommand::add_to(options::po::options_description& description) {
  auto add = description.add_options();
  add("to", options::po::value(&to_)->value_name("FORMAT"), names_of_export_formats().c_str());
  add("output,o", options::po::value(&output)->value_name("FILE"), "where to write (standard output)");
  add("labels", options::po::value(&labels_)->value_name("NAMES"),
      "labels of --to pprof: pid, tid, comm, cpu, cgroup, mode, other, all of these (default), time, or none");
  add("lost-frames", options::po::bool_switch(&lost_frames), "show losses as stacks: [lost samples], [lost records]");
  folding_.add_to(description);
  inputs.add_to(description);
}

void ExportCommand::prepare() {
  format = &export_format(to_);
  if (!labels_.empty()) {
    if (!format->labels) throw UsageError("--labels needs --to pprof");
    format_options.labels = labels_of(labels_);
  }
  stacks = stacks_for(*format, folding_.stacks());
  inputs.prepare();
  if (format->for_viewers) inputs.fail_if_empty();
  if (lost_frames) inputs.show_losses();
}

void ExportCommand::check_output() const {
  inputs.check_output(output);
  if (format->binary && output::OutputFile::is_standard_output(output) && isatty(STDOUT_FILENO) == 1)
    throw UsageError("--to " + to_ + ": is not for terminals; write it to a file with -o FILE, or to a pipe");
}

// Samples without times are shown at the start, whenever they were taken.
void check_times(ExportCommand& command, const output::ExportSource& source) {
  if (command.format->times == SampleTimes::listed) return;
  const auto samples = source.table.samples();
  const auto untimed = std::ranges::count(samples, reader::no_time, &analysis::SampleRow::time);
  if (untimed == 0) return;
  const std::vector<std::string>& paths = command.inputs.paths();
  const std::string inputs = paths.size() == 1 ? paths.front() : counted(paths.size(), "input");
  const bool all = static_cast<std::size_t>(untimed) == samples.size();
  if (all && command.format->times == SampleTimes::needed)
    throw InputError(inputs + ": the samples have no times (perf record -T)");
  command.inputs.run().end_progress();
  command.inputs.run().diagnostics().warning(
      inputs, fmt::format("{} of {} samples have no times (perf record -T) and are shown at the start", untimed,
                          samples.size()));
}

int ExportCommand::run(const options::Arguments&) {
  prepare();
  check_output();
  ExportContent content(*format, format_options);
  content.read(inputs, stacks, lost_frames);
  if (format->for_viewers ? inputs.any_shown() : inputs.any_usable()) {
    if (format->cpu_slices) content.read_cpu_slices(inputs);
    const output::ExportSource source = content.source(inputs.reports(), inputs.threads());
    check_times(*this, source);
    inputs.write(output, [&](output::OutputFile& out) { format->write(source, format_options, out); });
  }
  return inputs.conclude();
}

}  // namespace

extern const Command export_command{
    .name = "export",
    .summary = "write profiles for pprof and other viewers",
    .usage =
        "Usage: perfsift export --to FORMAT [OPTIONS] [FILE|DIRECTORY...]\n\nWrites profiles of recordings, of text of "
        "perf script, and of folded stacks for other\nviewers; several inputs are added up.\n",
    .positional = ReadingOptions::positional,
    .start = start<ExportCommand>,
};

}  // namespace perfsift::tools
