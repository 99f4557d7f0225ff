// perfsift fold: recordings, text of perf script and folded stacks to folded stacks.

#include <algorithm>
#include <iostream>
#include <set>

#include <fmt/format.h>

#include "analysis/input/recording_folder.h"
#include "analysis/profile/lost_frames.h"
#include "analysis/profile/quality.h"
#include "base/error.h"
#include "base/printable.h"
#include "options/budget_options.h"
#include "options/folded_stack_options.h"
#include "output/folded/folded.h"
#include "tools/command.h"
#include "tools/compat/flamegraph.h"
#include "tools/debuginfod_options.h"
#include "tools/diagnostics.h"
#include "tools/filter/filter_options.h"
#include "tools/input_profile.h"
#include "tools/reading_options.h"
#include "tools/terminal.h"

namespace perfsift::tools {
namespace {

// What the command line says.
struct FoldCommand {
  ReadingOptions reading;
  NamingOptions naming;
  DebuginfodOptions debuginfod;
  JobsOption jobs;
  analysis::QualityBudget budget;
  analysis::StackOptions stacks;
  filter::Filter filter;
  std::vector<std::string> paths;    // of the inputs, folders opened
  std::vector<std::string> skipped;  // files in these folders that are no recordings
  std::vector<std::string> events;
  std::string output = output::OutputFile::standard_output;
  std::string compat;
  bool source_lines = false;
  bool lost_frames = false;
  bool show_unresolved = false;
  bool show_incomplete = false;

  bool parse_arguments(const options::Arguments& arguments);
  analysis::StackcollapseOptions stackcollapse_options() const;
  output::SampleOptions perf_text_options() const;
  symbolize::SymbolizeOptions symbolize_options() const;
  // Throws UsageError if an input would be overwritten.
  void check_files() const;

 private:
  void add_stack_options(options::po::options_description& description);

  FilterOptions filtering_;
  options::FoldedStackOptions folding_{options::FoldedStackOptions::NamedBy::perfsift};
};

void FoldCommand::add_stack_options(options::po::options_description& description) {
  auto add = description.add_options();
  add("output,o", options::po::value(&output)->value_name("FILE"), "where to write (standard output)");
  add("event,e", options::po::value(&events)->value_name("NAME")->composing(),
      "only this event; globs and several are fine");
  folding_.add_to(description);
  add("lost-frames", options::po::bool_switch(&lost_frames),
      "what was lost as stacks of its own: [lost samples], [lost records]");
  add("unresolved", options::po::bool_switch(&show_unresolved),
      "print which addresses have no name, why, and what to do");
  add("incomplete", options::po::bool_switch(&show_incomplete),
      "print which stacks do not reach their thread's start, why, and what to do");
  add("compat", options::po::value(&compat)->value_name("flamegraph"), "exactly what stackcollapse-perf.pl prints");
  add("srcline", options::po::bool_switch(&source_lines), "with --compat flamegraph: use the source lines of the text");
}

bool FoldCommand::parse_arguments(const options::Arguments& arguments) {
  options::po::options_description description("Options");
  reading.add_to(description);
  add_stack_options(description);
  filtering_.add_to(description, FilterOptions::Events::elsewhere);
  jobs.add_to(description);
  naming.add_to(description);
  debuginfod.add_to(description);
  options::add_budget(budget, description);
  if (!options::parse(
          arguments,
          "Usage: perfsift fold [OPTIONS] [FILE|DIRECTORY...]\n\nWrites folded stacks, `comm;root;...;leaf COUNT`, of "
          "recordings, of text of perf script,\nand of folded stacks; several inputs are added up.\n",
          description, ReadingOptions::positional)) {
    return false;
  }
  if (!compat.empty() && compat != "flamegraph") throw UsageError("--compat " + compat + ": there is flamegraph");
  if (source_lines && compat.empty()) throw UsageError("--srcline needs --compat flamegraph");
  stacks = folding_.stacks();
  filter = filtering_.filter();
  paths = analysis::with_folders_opened(reading.paths(), skipped);
  return true;
}

analysis::StackcollapseOptions FoldCommand::stackcollapse_options() const {
  const bool unknown_to_it = !stacks.comm || stacks.cgroup || stacks.shape != analysis::StackShape() || lost_frames ||
                             stacks.weight != analysis::Weight::period ||
                             stacks.frames.demangling != symbolize::DemangleStyle::plain || stacks.unwind.repair ||
                             events.size() > 1;
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
          .event_filter = events.empty() ? "" : events.front()};
}

// The options that perf script would get, too.
output::SampleOptions FoldCommand::perf_text_options() const {
  output::SampleOptions options;
  options.max_stack = static_cast<unsigned>(stacks.unwind.max_frames);
  options.frames.inlines = stacks.frames.inlines;
  return options;
}

symbolize::SymbolizeOptions FoldCommand::symbolize_options() const {
  symbolize::SymbolizeOptions options = naming.symbolize_options();
  options.aliases_as_perf_6_1 = !compat.empty();
  return options;
}

void FoldCommand::check_files() const {
  output::RunFiles files;
  files.reads(paths);
  reading.note_files(files);
  naming.note_files(files);
  filtering_.note_files(files);
  files.writes(output);
}

void report_input(const InputReport& report, Diagnostics& diagnostics) {
  if (!report.error.empty()) return diagnostics.unusable(report.error);
  for (const std::string& warning : report.not_decoded) diagnostics.warning(report.path, warning);
  if (report.kind == analysis::InputKind::recording) diagnostics.report(report.path, report.stats);
  if (report.script_text && report.script_text->not_understood != 0) {
    const analysis::BadLine& first = report.script_text->first_not_understood;
    diagnostics.warning(report.path, fmt::format("{} lines were not understood, the first is line {}: {}",
                                                 report.script_text->not_understood, first.number, first.text));
  }
  if (report.folded_text && report.folded_text->malformed != 0) {
    const analysis::BadLine& first = report.folded_text->first_malformed;
    diagnostics.warning(report.path, fmt::format("{} lines are no folded stacks, the first is line {}: {}",
                                                 report.folded_text->malformed, first.number, first.text));
  }
}

// An event in the options that no input has is a mistake, not an empty result.
void check_events(const analysis::EventSelection& selection, const std::vector<InputReport>& reports) {
  std::set<std::string> all;
  for (const InputReport& report : reports) all.insert(report.events.begin(), report.events.end());
  const std::string wrong = selection.unmatched({all.begin(), all.end()});
  if (!wrong.empty())
    throw UsageError(printable(fmt::format("--event {}: no such event; there are {}", wrong, fmt::join(all, ", "))));
}

// A limit that cannot be checked must not look as if it was kept.
void check_budget_applies(const analysis::QualityBudget& budget, const std::vector<InputReport>& reports) {
  for (const InputReport& report : reports) {
    if (budget.any() && report.error.empty() && report.kind != analysis::InputKind::recording) {
      throw UsageError(printable(report.path) +
                       ": is text, which does not tell what was lost, cut or has no name; --max-lost, " +
                       "--max-unresolved, --max-truncated and --max-incomplete need recordings");
    }
  }
}

analysis::Quality total_quality(const std::vector<InputReport>& reports) {
  analysis::Quality quality;
  for (const InputReport& report : reports) quality.add(report.quality);
  return quality;
}

// Errors, warnings, the table of what has no name, budgets; the exit status that follows.
int conclude(const FoldCommand& command, const std::vector<InputReport>& reports,
             const symbolize::Symbolizer& symbolizer) {
  Diagnostics diagnostics(command.reading.quiet);
  for (const std::string& file : command.skipped) diagnostics.warning(file, "skipped: not a recording");
  for (const InputReport& report : reports) report_input(report, diagnostics);
  diagnostics.report(symbolizer);
  const analysis::Quality quality = total_quality(reports);
  if (command.show_unresolved) std::cerr << analysis::unresolved_table(quality);
  if (command.show_incomplete) std::cerr << analysis::incomplete_table(quality);
  for (const std::string& message : command.budget.check(quality)) diagnostics.check_failed(message);
  InputTotals totals("input");
  for (const InputReport& report : reports) totals.add(report.path, report.samples, report.kept, report.error.empty());
  diagnostics.report_empty(totals, command.budget.fail_empty);
  return diagnostics.status();
}

std::vector<InputReport> fold_for_flamegraph(const FoldCommand& command, symbolize::Symbolizer& symbolizer) {
  const analysis::StackcollapseOptions options = command.stackcollapse_options();
  const auto notice = [&](std::string_view text) {
    if (!command.reading.quiet) std::cerr << printable(text) << '\n';
  };
  output::OutputFile out(command.output);
  std::vector<InputReport> reports =
      fold_as_flamegraph(command.paths, symbolizer, options, command.perf_text_options(), command.filter, notice, out);
  check_budget_applies(command.budget, reports);
  out.commit();
  return reports;
}

void write_profile(const FoldCommand& command, const analysis::Profile& profile) {
  const bool several_events = profile.events_with_stacks().size() > 1;
  output::OutputFile out(command.output);
  output::write_folded(profile, {.threads = command.jobs.threads(), .event_frame = several_events}, out);
  out.commit();
}

std::vector<InputReport> fold_inputs(const FoldCommand& command, symbolize::Symbolizer& symbolizer) {
  analysis::Profile profile;
  Progress progress(command.reading.quiet);
  const analysis::EventSelection selection(command.events);
  std::vector<InputReport> reports =
      read_into_profile(command.paths, profile,
                        {symbolizer, command.stacks, selection, command.filter, command.jobs.threads(), progress});
  if (std::ranges::none_of(reports, &std::string::empty, &InputReport::error)) return reports;
  check_events(selection, reports);
  check_budget_applies(command.budget, reports);
  if (command.lost_frames) analysis::add_lost_frames(total_quality(reports), command.stacks.weight, profile);

  progress.show([] { return "writing"; });
  if (command.output == output::OutputFile::standard_output)
    progress.end();  // on the same terminal, perhaps in a pager
  try {
    write_profile(command, profile);
  } catch (const output::OutputClosed&) {  // the reader has gone; the report on the inputs is still wanted
  }
  return reports;
}

}  // namespace

int fold(const options::Arguments& arguments) {
  FoldCommand command;
  if (!command.parse_arguments(arguments)) return done;
  command.check_files();
  symbolize::Symbolizer symbolizer(command.debuginfod.with_fetched(command.symbolize_options(), command.paths,
                                                                   command.jobs.threads(), command.reading.quiet));
  const bool for_flamegraph = !command.compat.empty();
  const auto reports = for_flamegraph ? fold_for_flamegraph(command, symbolizer) : fold_inputs(command, symbolizer);
  return conclude(command, reports, symbolizer);
}

}  // namespace perfsift::tools
