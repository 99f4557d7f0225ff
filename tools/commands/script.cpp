// perfsift script: the text of `perf script`.

#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "analysis/collect/quality_counter.h"
#include "analysis/samples/sample_filter.h"
#include "base/error.h"
#include "base/printable.h"
#include "filter/perf_lists.h"
#include "options/budget_options.h"
#include "options/number_option.h"
#include "output/files/output_file.h"
#include "output/script/header_text.h"
#include "output/script/script_printer.h"
#include "reader/recording.h"
#include "tools/command.h"
#include "tools/dlfilter/dlfilter_options.h"
#include "tools/dlfilter/dlfiltered_visitor.h"
#include "tools/dlfilter/filtered_bits.h"
#include "tools/dlfilter/module_list_text.h"
#include "tools/dlfilter/shared_stdout.h"
#include "tools/recording/recording_run.h"
#include "tools/trace_option.h"

namespace perfsift::tools {
namespace {

using reader::RecordType;

struct ShownRecords {
  const char* option;
  const char* help;
  std::vector<RecordType> types;
};

const ShownRecords shown_records[] = {
    {"show-task-events", "show FORK, COMM and EXIT", {RecordType::fork, RecordType::comm, RecordType::exit}},
    {"show-mmap-events", "show MMAP and MMAP2", {RecordType::mmap, RecordType::mmap2}},
    {"show-switch-events", "show SWITCH and SWITCH_CPU_WIDE", {RecordType::switch_, RecordType::switch_cpu_wide}},
    {"show-namespace-events", "show NAMESPACES", {RecordType::namespaces}},
    {"show-cgroup-events", "show CGROUP", {RecordType::cgroup}},
    {"show-lost-events", "show LOST", {RecordType::lost}},
    {"show-bpf-events", "show KSYMBOL and BPF_EVENT", {RecordType::ksymbol, RecordType::bpf_event}},
    {"show-text-poke-events", "show KSYMBOL and TEXT_POKE", {RecordType::ksymbol, RecordType::text_poke}},
    {"show-round-events", "show FINISHED_ROUND", {RecordType::finished_round}},
};

// The options of the command line.
struct ScriptCommand : CommandRun {
  RecordingOptions recordings;
  analysis::QualityBudget budget;
  DlfilterOptions dlfilters;
  output::ScriptOptions options;
  output::FieldSelection selection;
  symbolize::DemangleStyle dlfilter_names = symbolize::DemangleStyle::perf_6_1;
  TraceOption trace{.events = reader::TraceEvents::all()};
  filter::Filter filter;  // what these options say
  bool header = false;
  bool header_only = false;

  void add_to(options::po::options_description& description) override;
  void take(const std::string& option, const std::string& value) override { dlfilters.take(option, value); }
  int run(const options::Arguments& words) override;

 private:
  void add_output_options(options::po::options_description& description);
  void prepare();

  std::vector<std::string> fields_;
  std::string last_functions_;
  std::string style_ = "new";
  bool hide_callchains_ = false;
  bool no_inline_ = false;
  bool no_demangle_ = false;
};

void ScriptCommand::add_output_options(options::po::options_description& description) {
  auto add = description.add_options();
  add("fields,F", options::po::value(&fields_)->value_name("[TYPE:]FIELDS")->composing(),
      "the fields to print: comm,ip,… or +field,-field; TYPE: hw, sw, trace, raw, break or synth");
  add("skip-missing-fields", options::po::bool_switch(&options.skip_missing_fields),
      "leave out fields of -F that were not recorded, instead of failing");
  add("perf-style", options::po::value(&style_)->value_name("6.1|new"),
      "new: addresses as recorded, full signatures; 6.1: as perf of Debian 12");
  add("hide-call-graph,G", options::po::bool_switch(&hide_callchains_), "print no callchains");
  add("max-stack", perfsift::options::whole_number(options.samples.max_stack), "print at most N frames (127)");
  add("stop-bt", options::po::value(&last_functions_)->value_name("NAME,..."),
      "print callchains up to the first of these functions");
  add("no-inline", options::po::bool_switch(&no_inline_), "do not show inlined calls as frames");
  add("full-source-path", options::po::bool_switch(&options.samples.frames.full_source_paths),
      "show full paths in -F srcline");
  add("ns", options::po::bool_switch(&options.time.nanoseconds), "print times with nanoseconds");
  add("reltime", options::po::bool_switch(&options.time.relative), "print times relative to the first line");
  add("deltatime", options::po::bool_switch(&options.time.delta), "print times relative to the previous line");
  add("no-demangle", options::po::bool_switch(&no_demangle_), "print mangled names, as in symbol tables");
  add("header", options::po::bool_switch(&header), "print the header first");
  add("header-only", options::po::bool_switch(&header_only), "print the header and nothing else");
  add("show-info,I", options::po::bool_switch(&options.full_header),
      "with --header: print the topology of the machine, too");
  for (const ShownRecords& shown : shown_records) {
    const auto show = [this, &shown](bool yes) {
      if (yes) options.shown_records.insert(shown.types.begin(), shown.types.end());
    };
    add(shown.option, options::po::bool_switch()->notifier(show), shown.help);
  }
}

void ScriptCommand::add_to(options::po::options_description& description) {
  recordings.inputs.add_to(description);
  add_output_options(description);
  trace.add_to(description);
  recordings.filtering.add_to(description);
  recordings.naming.add_to(description);
  recordings.debuginfod.add_to(description);
  options::add_budget(budget, description);
  dlfilters.add_to(description);
}

void ScriptCommand::prepare() {
  if (style_ != "6.1" && style_ != "new") throw UsageError("--perf-style " + style_ + ": there are 6.1 and new");
  if (header_only && (budget.any() || budget.fail_empty))
    throw UsageError("--header-only reads no samples, so no limit can be checked");
  if (options.time.relative && options.time.delta) throw UsageError("--reltime and --deltatime exclude each other");

  const bool as_6_1 = style_ == "6.1";
  options.samples.style = as_6_1 ? analysis::PerfStyle::perf_6_1 : analysis::PerfStyle::newest;
  options.samples.show_callchains = !hide_callchains_;
  options.samples.frames.inlines = !no_inline_;
  options.demangling = no_demangle_ ? symbolize::DemangleStyle::raw
                       : as_6_1     ? symbolize::DemangleStyle::perf_6_1
                                    : symbolize::DemangleStyle::full;
  if (no_demangle_) dlfilter_names = symbolize::DemangleStyle::raw;
  selection = output::FieldSelection(options.samples.style);
  for (const std::string& fields : fields_) selection.apply(fields);
  if (!last_functions_.empty()) {
    const auto names = filter::names_in("--stop-bt", last_functions_);
    options.samples.frames.last_functions.insert(names.begin(), names.end());
  }
  filter = recordings.filtering.filter();
  recordings.jobs.jobs = 1;
}

// The filters between the reader and the printer, in perf's order (process_sample_event() in
// tools/perf/builtin-script.c): the early half of dlfilters, the filter of the command line, the late half.
class SamplePath {
 public:
  SamplePath(const analysis::RecordingFilter& filter, dlfilter::FilterRun* dlfilters, reader::OrderedVisitor& printer) {
    if (dlfilters != nullptr) late_.emplace(*dlfilters, printer);
    filtered_.emplace(filter, late_ ? static_cast<reader::OrderedVisitor&>(*late_) : printer);
    if (dlfilters != nullptr) early_.emplace(*dlfilters, *filtered_);
  }
  std::uint64_t kept() const { return filtered_->kept(); }
  reader::OrderedVisitor& start() { return early_ ? static_cast<reader::OrderedVisitor&>(*early_) : *filtered_; }

 private:
  std::optional<DlfilteredLate> late_;
  std::optional<analysis::FilteredVisitor> filtered_;
  std::optional<DlfilteredEarly> early_;
};

// One run of the command.
class ScriptRun {
 public:
  // Opens everything. Throws UsageError and Error.
  explicit ScriptRun(ScriptCommand& command)
      : command_(command),
        dlfilters_(command.dlfilters.requests(), command.dlfilters.api(as_6_1())),
        reading_(command.recordings, {command.recordings.inputs.single_path()}, shows_progress()),
        path_(reading_.paths().front()),
        recording_(open_recording()),
        symbolizer_(reading_.symbolizer()) {}

  // Throws dlfilter::RunEnded where a dlfilter ends the run.
  void print();
  // Writes the text so far to standard output.
  void flush() { out_.flush(); }
  void finish();
  // Prints errors and warnings, and returns the exit status.
  int report();

 private:
  // On a terminal the text itself shows the progress; behind a pipe there may be a pager on the same terminal.
  static bool shows_progress() {
    std::error_code none;
    return std::filesystem::is_regular_file("/dev/stdout", none);
  }
  bool as_6_1() const { return command_.options.samples.style == analysis::PerfStyle::perf_6_1; }

  std::unique_ptr<reader::Recording> open_recording();
  void print_header();
  void print_samples();
  void visit(const analysis::RecordingFilter& wanted, dlfilter::FilterRun* dlfilters, output::ScriptPrinter& printer);
  void say_what_is_not_shown(const output::ScriptPrinter& printer);
  void say_when_nothing_matches(std::uint64_t kept);

  ScriptCommand& command_;
  dlfilter::FilterChain dlfilters_;
  RecordingRun reading_;
  const std::string& path_;
  const std::unique_ptr<reader::Recording> recording_;
  symbolize::Symbolizer& symbolizer_;
  output::OutputFile output_{output::OutputFile::standard_output};
  SharedStdout shared_output_;  // with what dlfilters print
  output::TextWriter out_{
      [this](std::string_view text) { dlfilters_.empty() ? output_.write(text) : shared_output_.write(text); }};
};

std::unique_ptr<reader::Recording> ScriptRun::open_recording() {
  reading_.check_output(output::OutputFile::standard_output);  // may be appended to an input
  if (as_6_1()) reading_.name_as_perf_6_1();
  const auto naming = as_6_1() ? reader::EventNaming::perf_6_1 : reader::EventNaming::newest;
  reader::OpenOptions opening = open_options(
      path_, reading_.progress(),
      {.exec_clears_maps = !as_6_1(), .early_names = false, .jit_dumps = !as_6_1(), .code_without_files = !as_6_1()},
      naming);
  opening.trace_events = command_.trace.events;
  return reading_.open(path_, opening);
}

void ScriptRun::print() {
  if (command_.header || command_.header_only) print_header();
  if (!command_.header_only) print_samples();
}

void ScriptRun::print_header() {
  output::print_header(out_, recording_->header(), recording_->features(), recording_->events(),
                       output::modification_time(recording_->path()), command_.options.samples.style,
                       command_.options.full_header);
  command_.options.features_as_they_come = recording_->header().pipe;
}

void ScriptRun::print_samples() {
  output::ScriptPrinter printer(*recording_, command_.selection, symbolizer_, command_.options, out_);
  const analysis::FilterStacks stacks{.max_frames = command_.options.samples.max_stack};
  analysis::RecordingFilter wanted(*recording_, symbolizer_, command_.filter, stacks);
  wanted.prepare(1);
  FilteredBits filtered(command_.recordings.filtering, *recording_, symbolizer_, stacks);
  std::optional<dlfilter::FilterRun> run;
  if (!dlfilters_.empty()) {
    run.emplace(dlfilters_, *recording_, symbolizer_,
                dlfilter::RunOptions{.code = reading_.symbolize_options(),
                                     .demangling = command_.dlfilter_names,
                                     .before_call = [this] { out_.flush(); },
                                     .filtered = [&](const auto& sample) { return filtered.of(sample); }});
  }
  visit(wanted, run ? &*run : nullptr, printer);
}

// The quality is only counted where a limit asks for it, as counting takes time.
void ScriptRun::visit(const analysis::RecordingFilter& wanted, dlfilter::FilterRun* dlfilters,
                      output::ScriptPrinter& printer) {
  analysis::QualityCounter counter(*recording_, symbolizer_,
                                   {.symbolizer = &symbolizer_, .code_versions = &printer.code_versions()}, printer);
  const bool counts = command_.budget.any();
  SamplePath path(wanted, dlfilters, counts ? static_cast<reader::OrderedVisitor&>(counter) : printer);
  recording_->visit_in_order(path.start());
  printer.finish();
  std::vector<std::string> exceeded;
  if (counts) exceeded = command_.budget.check(counter.quality());
  if (dlfilters != nullptr) dlfilters->stop();
  reading_.end_progress();
  say_what_is_not_shown(printer);
  for (const std::string& message : exceeded) reading_.diagnostics().check_failed(message);
  say_when_nothing_matches(path.kept());
}

// Warns of parts of the recording that the text does not show.
void ScriptRun::say_what_is_not_shown(const output::ScriptPrinter& printer) {
  for (const std::string& skipped : printer.selection().skipped())
    reading_.diagnostics().warning(recording_->path(), skipped);
  for (const std::string& warning : not_decoded(*recording_))
    reading_.diagnostics().warning(recording_->path(), warning);
  if (const auto warning = printer.code_versions().warning(); !warning.empty()) {
    reading_.diagnostics().warning(recording_->path(), warning);
  }
  if (printer.guest_samples() != 0) {
    reading_.diagnostics().warning(recording_->path(),
                                   fmt::format("{} samples of guests are not shown", printer.guest_samples()));
  }
}

void ScriptRun::say_when_nothing_matches(std::uint64_t kept) {
  if (kept != 0) return;
  reading_.diagnostics().report_empty(path_, recording_->stats().samples(), command_.budget.fail_empty);
}

void ScriptRun::finish() {
  flush();
  if (!dlfilters_.empty()) shared_output_.flush();
}

int ScriptRun::report() {
  reading_.diagnostics().report(recording_->path(), recording_->stats());
  return reading_.conclude();
}

int ScriptCommand::run(const options::Arguments&) {
  prepare();
  if (dlfilters.list()) return print_dlfilters(dlfilter::modules_folders(), false), done;
  ScriptRun run(*this);
  try {
    run.print();
    run.finish();
  } catch (const dlfilter::RunEnded& ended) {
    run.flush();
    std::cerr << "perfsift: " << printable(ended.what()) << '\n';
    return ended.exit_status();
  }
  return run.report();
}

}  // namespace

extern const Command script_command{
    .name = "script",
    .summary = "print samples and records as `perf script` does",
    .usage = "Usage: perfsift script [OPTIONS] [FILE]\n\nPrints samples and records as `perf script` does.\n",
    .positional = ReadingOptions::positional,
    .start = start<ScriptCommand>,
};

}  // namespace perfsift::tools
