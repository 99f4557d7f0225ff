// perfsift export: recordings, text of perf script and folded stacks to the formats of other viewers.

#include <algorithm>

#include <fmt/format.h>
#include <unistd.h>

#include "base/counted.h"
#include "base/error.h"
#include "options/folded_stack_options.h"
#include "tools/command.h"
#include "tools/diagnostics.h"
#include "tools/export/export_content.h"
#include "tools/export/export_format.h"
#include "tools/export/label_list.h"
#include "tools/profile/profile_command.h"

namespace perfsift::tools {
namespace {

// What the command line says.
struct ExportCommand {
  ProfileCommand inputs;
  analysis::StackOptions stacks;
  const ExportFormat* format = nullptr;
  FormatOptions format_options;
  std::string output = output::OutputFile::standard_output;
  bool lost_frames = false;

  bool parse_arguments(const options::Arguments& arguments);
  // Throws UsageError if an input would be overwritten, or a terminal would get bytes.
  void check_output() const;

 private:
  void add_export_options(options::po::options_description& description);

  options::FoldedStackOptions folding_{options::FoldedStackOptions::NamedBy::perfsift};
  std::string to_, labels_;
};

void ExportCommand::add_export_options(options::po::options_description& description) {
  auto add = description.add_options();
  add("to", options::po::value(&to_)->value_name("FORMAT"), names_of_export_formats().c_str());
  add("output,o", options::po::value(&output)->value_name("FILE"), "where to write (standard output)");
  add("labels", options::po::value(&labels_)->value_name("NAMES"),
      "with --to pprof: pid, tid, comm, cpu, cgroup, mode, other, all of these (default), time, or none");
  add("lost-frames", options::po::bool_switch(&lost_frames),
      "what was lost as stacks of its own: [lost samples], [lost records]");
  folding_.add_to(description);
}

bool ExportCommand::parse_arguments(const options::Arguments& arguments) {
  options::po::options_description description("Options");
  add_export_options(description);
  inputs.add_to(description);
  if (!options::parse(arguments,
                      "Usage: perfsift export --to FORMAT [OPTIONS] [FILE|DIRECTORY...]\n\nWrites profiles of "
                      "recordings, of text of perf script, and of folded stacks for other\nviewers; several inputs are "
                      "added up.\n",
                      description, ReadingOptions::positional)) {
    return false;
  }
  format = &export_format(to_);
  if (!labels_.empty()) {
    if (!format->labels) throw UsageError("--labels needs --to pprof");
    format_options.labels = labels_of(labels_);
  }
  stacks = stacks_for(*format, folding_.stacks());
  inputs.prepare();
  if (format->for_viewers) inputs.fail_if_empty();
  if (lost_frames) inputs.show_losses();
  return true;
}

void ExportCommand::check_output() const {
  inputs.check_output(output);
  if (format->binary && output::OutputFile::is_standard_output(output) && isatty(STDOUT_FILENO) == 1)
    throw UsageError("--to " + to_ + ": is not for terminals; write it to a file with -o FILE, or to a pipe");
}

// Samples without times are shown at the start, whenever they were taken.
void check_times(ExportCommand& command, const output::ExportSource& source) {
  if (command.format->times == SampleTimes::listed) return;
  const auto samples = source.log.samples();
  const auto untimed = std::ranges::count(samples, reader::no_time, &analysis::LoggedSample::time);
  if (untimed == 0) return;
  const std::vector<std::string>& paths = command.inputs.paths();
  const std::string inputs = paths.size() == 1 ? paths.front() : counted(paths.size(), "input");
  const bool all = static_cast<std::size_t>(untimed) == samples.size();
  if (all && command.format->times == SampleTimes::needed)
    throw InputError(inputs + ": the samples have no times (perf record -T)");
  command.inputs.end_progress();
  Diagnostics(command.inputs.quiet())
      .warning(inputs, fmt::format("{} of {} samples have no times (perf record -T) and are shown at the start",
                                   untimed, samples.size()));
}

}  // namespace

int export_profile(const options::Arguments& arguments) {
  ExportCommand command;
  if (!command.parse_arguments(arguments)) return done;
  command.check_output();
  symbolize::Symbolizer symbolizer(command.inputs.symbolize_options());
  ExportContent content;
  content.prepare_for(*command.format, command.format_options);
  content.read(command.inputs, command.stacks, command.lost_frames, symbolizer);
  if (command.format->for_viewers ? command.inputs.any_shown() : command.inputs.any_usable()) {
    if (command.format->in_order) content.sort_by_time();
    if (command.format->cpu_slices) content.read_cpu_slices(command.inputs);
    const output::ExportSource source = content.source(command.inputs.reports(), command.inputs.threads());
    check_times(command, source);
    command.inputs.write(command.output,
                         [&](output::OutputFile& out) { command.format->write(source, command.format_options, out); });
  }
  return command.inputs.conclude(symbolizer);
}

}  // namespace perfsift::tools
