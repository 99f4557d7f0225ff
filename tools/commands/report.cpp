// perfsift report: where the samples are, as a table or a tree.

#include "analysis/report/report.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/annotation/annotation.h"
#include "base/error.h"
#include "base/printable.h"
#include "options/folded_stack_options.h"
#include "options/interval_filter_options.h"
#include "options/number_option.h"
#include "output/files/output_file.h"
#include "output/quality/quality_lines.h"
#include "output/report/report_table.h"
#include "output/table/key_columns.h"
#include "tools/command.h"
#include "tools/page/page_reading.h"
#include "tools/profile/profile_command.h"
#include "tools/report/code_listing.h"
#include "tools/report/source_texts.h"
#include "tools/report/tree_views.h"
#include "tools/sort/sort_keys.h"
#include "tools/terminal.h"

namespace perfsift::tools {
namespace {

using analysis::Key;

constexpr std::uint64_t one_millisecond = 1'000'000;

// The options of the command line.
struct ReportCommand : CommandRun {
  ProfileCommand inputs;
  analysis::StackOptions stacks;
  analysis::ReportShape shape;
  std::string output = output::OutputFile::standard_output;
  std::string page;  // the file of the HTML page; empty: not wanted
  bool json = false;
  bool csv = false;
  std::optional<std::size_t> limit;
  TreeOptions trees;
  std::string annotated;  // a function; empty: not wanted

  void add_to(options::po::options_description& description) override;
  int run(const options::Arguments& words) override;
  bool is_table() const { return !trees.any() && annotated.empty(); }
  // Folded text has functions only: the default sorts by them, and other keys throw UsageError.
  void fit_keys_to_inputs();
  std::size_t rows(const output::TerminalStyle& style) const;

 private:
  void prepare();
  void check_page() const;
  void set_stacks();
  void set_shape();

  options::FoldedStackOptions frames_{options::FoldedStackOptions::NamedBy::perfsift};
  std::string sort_;                  // empty: the default
  std::string order_, time_quantum_;  // empty: the default
};

void ReportCommand::add_to(options::po::options_description& description) {
  auto add = description.add_options();
  add("output,o", options::po::value(&output)->value_name("FILE"), "where to write (standard output)");
  add("sort,s", options::po::value(&sort_)->value_name("KEYS"),
      fmt::format("the keys of rows (symbol,dso): {}",
                  fmt::join(output::names_of(analysis::keys_of(analysis::RowsOf::samples)), ", "))
          .c_str());
  add("order", options::po::value(&order_)->value_name("self|total"),
      "sort by the cost of the function itself, or with its callees (self)");
  add("limit", options::whole_number(limit), "rows of each table; 0: all (40 on a terminal)");
  add("time-quantum", options::po::value(&time_quantum_)->value_name("TIME"), "the intervals of --sort time (100ms)");
  add("html", options::po::value(&page)->value_name("FILE"),
      "write a page with all views for a browser, in one file: see perfsift-view");
  add("json", options::po::bool_switch(&json), "write one JSON object");
  add("csv", options::po::bool_switch(&csv), "write comma-separated values");
  trees.add_to(description);
  add("annotate", options::po::value(&annotated)->value_name("FUNCTION"),
      "show the source lines and instructions of the function with their samples");
  frames_.add_recursion_to(description);
  frames_.add_frames_to(description);
  frames_.add_interrupts_to(description);
  inputs.add_to(description);
}

void ReportCommand::prepare() {
  if (json && csv) throw UsageError("--json and --csv: choose one");
  if (!page.empty()) {
    check_page();
    inputs.fail_if_empty();
  }
  trees.check();
  if (trees.any() && !annotated.empty()) throw UsageError("--annotate shows one function and no tree: choose one");
  if (!is_table() && !sort_.empty()) throw UsageError("--sort is for tables; trees and --annotate show functions");
  if (!is_table() && (limit || !order_.empty())) {
    throw UsageError("--limit and --order are for tables; trees have --depth and --min-percent");
  }
  if (csv && !annotated.empty()) throw UsageError("--annotate has no --csv; there is --json");
  set_shape();
  set_stacks();
  inputs.prepare();
}

// A page has all views at once.
void ReportCommand::check_page() const {
  const bool other = json || csv || trees.any() || !annotated.empty() || !sort_.empty() || limit || !order_.empty() ||
                     !time_quantum_.empty() || output != output::OutputFile::standard_output;
  if (other)
    throw UsageError(
        "--html has all views: it takes no --json, --csv, --sort, --limit, --order, --time-quantum, tree, "
        "--annotate or -o");
}

void ReportCommand::set_shape() {
  shape.keys = sort_keys(analysis::RowsOf::samples, sort_.empty() ? "symbol,dso" : sort_);
  if (!order_.empty()) shape.order = row_order(order_);
  if (time_quantum_.empty()) return;
  if (std::ranges::count(shape.keys, Key::time) == 0) throw UsageError("--time-quantum is of --sort time");
  shape.time_quantum = options::duration_option("--time-quantum", time_quantum_, one_millisecond);
  if (shape.time_quantum == 0) throw UsageError("--time-quantum: not longer than 0");
}

void ReportCommand::set_stacks() {
  stacks = frames_.stacks();
  shape.interrupts_apart = stacks.shape.interrupts == analysis::Interrupts::apart;
  stacks.cgroup = std::ranges::count(shape.keys, Key::cgroup) != 0;
  stacks.frames.detail = detail_for(shape.keys);
  if (!annotated.empty()) stacks.frames.detail = analysis::FrameDetail::address;
}

// Stacks consist of functions, and samples have no process, CPU and single time.
bool is_in_stores(Key key) {
  constexpr Key there[] = {Key::symbol, Key::dso, Key::comm, Key::comm_nodigit, Key::cgroup, Key::event};
  return std::ranges::find(there, key) != std::end(there) || analysis::is_label(key);
}

void ReportCommand::fit_keys_to_inputs() {
  const auto of_recordings =
      std::ranges::find_if(shape.keys, [](Key key) { return analysis::number_behind(key).has_value(); });
  for (const InputReport& report : inputs.reports()) {
    if (report.usable() && report.kind != analysis::InputKind::recording && of_recordings != shape.keys.end()) {
      throw UsageError(printable(report.path) + ": only recordings have " +
                       std::string(analysis::name_of(*of_recordings)));
    }
  }
  const auto label = std::ranges::find_if(shape.keys, analysis::is_label);
  for (const InputReport& report : inputs.reports()) {
    if (report.usable() && report.kind != analysis::InputKind::store && label != shape.keys.end()) {
      throw UsageError(printable(report.path) + ": only the recordings in a store have a label " +
                       std::string(analysis::name_of(*label)));
    }
  }
  for (const InputReport& report : inputs.reports()) {
    const auto not_stored = std::ranges::find_if_not(shape.keys, is_in_stores);
    if (report.usable() && report.kind == analysis::InputKind::store && not_stored != shape.keys.end()) {
      throw UsageError(printable(report.path) + ": a store does not have " +
                       std::string(analysis::name_of(*not_stored)));
    }
  }
  const auto is_folded = [](const InputReport& report) { return report.kind == analysis::InputKind::folded_text; };
  const auto in_folded = [](Key key) { return key == Key::symbol || key == Key::event; };
  if (sort_.empty() && std::ranges::all_of(inputs.reports(), is_folded)) shape.keys = {Key::symbol};
  const auto missing = std::ranges::find_if_not(shape.keys, in_folded);
  if (sort_.empty() || missing == shape.keys.end()) return;
  for (const InputReport& report : inputs.reports()) {
    if (report.usable() && is_folded(report)) {
      throw UsageError(printable(report.path) + ": folded stacks do not have " +
                       std::string(analysis::name_of(*missing)) + "; --sort symbol suits them");
    }
  }
}

std::size_t ReportCommand::rows(const output::TerminalStyle& style) const {
  if (limit) return *limit;
  return style.is_terminal() && !json && !csv ? rows_on_terminal : 0;
}

void write_trees(const ReportCommand& command, const TreeViews& trees, output::TextWriter& out) {
  if (command.csv) return output::write_tree_csv(trees.views(), out);
  const std::vector<std::string> notes = output::quality_lines(command.inputs.quality());
  if (command.json) {
    output::Json views = output::Json::array();
    for (const output::TreeView& view : trees.views()) views.push_back(output::tree_json(view));
    return output::write_json({{"views", std::move(views)}, {"notes", notes}}, out);
  }
  for (const output::TreeView& view : trees.views()) {
    if (&view != &trees.views().front()) out.character('\n');
    output::write_tree_text(view, terminal_style(command.output), out);
  }
  output::write_notes(notes, out);
}

void write_table(const ReportCommand& command, const analysis::Report& report, output::TextWriter& out) {
  const output::TerminalStyle style = terminal_style(command.output);
  const output::ReportContents contents{.tables = report.tables(),
                                        .keys = command.shape.keys,
                                        .limit = command.rows(style),
                                        .notes = output::quality_lines(command.inputs.quality())};
  if (command.csv) return output::write_report_csv(contents, out);
  if (command.json) return output::write_json(output::report_json(contents), out);
  output::write_report_text(contents, style, out);
}

// Calls write(out) for the output that the command line names.
template <typename Write>
void write_output(ReportCommand& command, Write&& write) {
  command.inputs.write(command.output, [&](output::OutputFile& file) {
    output::TextWriter out([&](std::string_view text) { file.write(text); });
    write(out);
    out.flush();
  });
}

// The annotated function, once for each event.
std::vector<output::AnnotationContents> annotations_of(const ReportCommand& command,
                                                       const std::vector<analysis::Annotation>& annotations,
                                                       SourceTexts& sources) {
  RecordingRun& run = command.inputs.run();
  std::vector<output::AnnotationContents> all;
  for (const analysis::Annotation& annotation : annotations) {
    output::AnnotationContents contents{
        .function = command.annotated, .annotation = annotation, .code = {}, .source = [&](auto file, auto line) {
          return sources.line(file, line);
        }};
    for (const analysis::AnnotatedCode& code : annotation.code) {
      contents.code.push_back(
          list_code(code, code.function == command.annotated, run.symbolizer(), run.symbolize_options()));
    }
    all.push_back(std::move(contents));
  }
  return all;
}

// When the first of the recordings was written; nothing for standard input.
std::optional<SourceTexts::Time> time_of_recordings(const ReportCommand& command) {
  std::optional<SourceTexts::Time> first;
  for (const std::string& path : command.inputs.paths()) {
    std::error_code error;
    const SourceTexts::Time time = std::filesystem::last_write_time(path, error);
    if (!error) first = std::min(first.value_or(time), time);
  }
  return first;
}

void write_annotations(const ReportCommand& command, const std::vector<output::AnnotationContents>& all,
                       const SourceTexts& sources, output::TextWriter& out) {
  // Once the lines are written, the sources know what was wrong with them.
  const auto notes = [&] {
    std::vector<std::string> lines = output::quality_lines(command.inputs.quality());
    for (const std::string& note : sources.notes()) lines.push_back(printable(note));
    return lines;
  };
  if (command.json) {
    output::Json events = output::Json::array();
    for (const output::AnnotationContents& contents : all) events.push_back(output::annotation_json(contents));
    return output::write_json({{"annotations", std::move(events)}, {"notes", notes()}}, out);
  }
  for (const output::AnnotationContents& contents : all) {
    if (&contents != &all.front()) out.character('\n');
    output::write_annotation_text(contents, terminal_style(command.output), out);
  }
  output::write_notes(notes(), out);
}

void write_annotated(ReportCommand& command, const analysis::Profile& profile) {
  for (const InputReport& report : command.inputs.reports()) {
    if (report.usable() && report.kind != analysis::InputKind::recording) {
      throw UsageError(printable(report.path) + ": --annotate needs recordings, which have the addresses of samples");
    }
  }
  const std::vector<analysis::Annotation> annotations = analysis::annotate(profile, command.annotated);
  if (annotations.empty()) throw no_such_function("--annotate", command.annotated, profile, "no sample is in it");
  SourceTexts sources(command.inputs.run().symbolize_options().symfs, time_of_recordings(command));
  const auto all = annotations_of(command, annotations, sources);
  write_output(command, [&](output::TextWriter& out) { write_annotations(command, all, sources, out); });
}

void write_report(ReportCommand& command, const analysis::Profile& profile, const analysis::SampleTable* table) {
  if (!command.annotated.empty()) return write_annotated(command, profile);
  if (command.trees.any()) {
    const TreeViews trees(profile, command.trees, command.inputs.threads());
    return write_output(command, [&](output::TextWriter& out) { write_trees(command, trees, out); });
  }
  command.fit_keys_to_inputs();
  if (are_several_recordings(command.inputs.reports())) command.shape.names = analysis::FunctionNames::processes;
  const analysis::Report report(profile, table, command.shape);
  write_output(command, [&](output::TextWriter& out) { write_table(command, report, out); });
}

void write_html(ReportCommand& command, const options::Arguments& words) {
  const PageReading reading(command.inputs, command.stacks, "perfsift report " + command_line(words));
  if (command.inputs.any_kept()) write_page(command.inputs, reading, command.page);
}

void write_text(ReportCommand& command) {
  analysis::Profile profile;
  analysis::TableBuilder rows(
      {.numbers = numbers_behind(command.shape.keys), .labels_of_stores = labels_behind(command.shape.keys)});
  const bool by_rows = need_table(command.shape.keys);
  command.inputs.read(profile, command.stacks, by_rows ? &rows : nullptr);
  std::optional<analysis::SampleTable> table;
  if (by_rows) table = std::move(rows).seal(profile);
  if (command.inputs.any_usable()) write_report(command, profile, table ? &*table : nullptr);
}

int ReportCommand::run(const options::Arguments& words) {
  prepare();
  inputs.check_output(page.empty() ? output : page);
  page.empty() ? write_text(*this) : write_html(*this, words);
  return inputs.conclude();
}

}  // namespace

extern const Command report_command{
    .name = "report",
    .summary = "show where the samples are, as a table",
    .usage =
        "Usage: perfsift report [OPTIONS] [FILE|DIRECTORY...]\n\nShows the functions in which the samples of "
        "recordings, of text of perf script,\nand of folded stacks are, as a table; several inputs are added up.\n",
    .positional = ReadingOptions::positional,
    .start = start<ReportCommand>,
};

}  // namespace perfsift::tools
