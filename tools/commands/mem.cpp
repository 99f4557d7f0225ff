// perfsift mem: what memory accesses found, how long they took, and which code and data they belong to.

#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "analysis/samples/sample_filter.h"
#include "base/error.h"
#include "output/folded/folded.h"
#include "output/memory/memory_notes.h"
#include "output/memory/memory_text.h"
#include "output/memory/raw_accesses.h"
#include "output/report/report_table.h"
#include "output/table/key_columns.h"
#include "tools/command.h"
#include "tools/memory/memory_reading.h"
#include "tools/sort/sort_keys.h"
#include "tools/terminal.h"

namespace perfsift::tools {
namespace {

// The options of the command line.
struct MemCommand : CommandRun {
  MemoryReading inputs;
  analysis::MemoryOptions options;
  std::string folded;  // a file; empty: not wanted
  bool raw = false;
  bool histogram = false;
  bool overview = true;

  // Both outputs would go to standard output.
  bool only_stacks() const {
    return output::OutputFile::is_standard_output(folded) && output::OutputFile::is_standard_output(inputs.output);
  }
  void add_to(options::po::options_description& description) override;
  int run(const options::Arguments& words) override;

 private:
  void prepare();
  void check() const;

  std::string sort_;
  std::string order_;
  std::string weight_;
};

void MemCommand::add_to(options::po::options_description& description) {
  auto add = description.add_options();
  add("sort,s", options::po::value(&sort_)->value_name("KEYS"),
      fmt::format("show one table with these keys instead of the overview: {}",
                  fmt::join(output::names_of(analysis::keys_of(analysis::RowsOf::accesses)), ", "))
          .c_str());
  add("order", options::po::value(&order_)->value_name("weight|samples"),
      "show and sort by shares of the weight (latency) or of samples (weight)");
  add("histogram", options::po::bool_switch(&histogram), "show the latencies of the first table's rows as histograms");
  add("raw", options::po::bool_switch(&raw), "print each access; with --json, an object on each line");
  add("folded", options::po::value(&folded)->value_name("FILE"),
      "write the stacks of accesses to FILE, with the level as the innermost frame");
  add("weight", options::po::value(&weight_)->value_name("latency|samples"),
      "the weight of stacks in --folded (latency)");
  inputs.add_to(description);
}

void MemCommand::prepare() {
  check();
  overview = sort_.empty();
  options.tables =
      overview ? output::overview_tables() : std::vector<analysis::Keys>{sort_keys(analysis::RowsOf::accesses, sort_)};
  options.order = order_ == "samples" ? analysis::MemoryOrder::samples : analysis::MemoryOrder::weight;
  options.stacks = !folded.empty();
  options.stack_weight = weight_ == "samples" ? analysis::Weight::samples : analysis::Weight::period;
  options.shape.frames.demangling = symbolize::DemangleStyle::plain;
  inputs.prepare();
}

void MemCommand::check() const {
  const bool has_order = !order_.empty(), has_weight = !weight_.empty();
  if (has_order && order_ != "weight" && order_ != "samples")
    throw UsageError("--order " + order_ + ": there are weight and samples");
  if (has_weight && weight_ != "latency" && weight_ != "samples")
    throw UsageError("--weight " + weight_ + ": there are latency and samples");
  if (has_weight && folded.empty()) throw UsageError("--weight is about stacks: it needs --folded");
  if (raw && (!sort_.empty() || has_order || histogram || !folded.empty() || inputs.limit))
    throw UsageError("--raw prints every access: it takes no --sort, --order, --histogram, --folded and --limit");
  if (histogram && (inputs.json || inputs.csv))
    throw UsageError("--histogram is for text; --json has the histograms of all rows");
  if (only_stacks() && (!sort_.empty() || has_order || histogram || inputs.limit || inputs.json || inputs.csv))
    throw UsageError("--folded on standard output leaves no place for a table: name a file with --folded or --output");
}

void write_raw(const MemCommand& command, MemoryRun& run) {
  if (!run.any_usable()) return;
  const output::RawForm form = command.inputs.json  ? output::RawForm::json_lines
                               : command.inputs.csv ? output::RawForm::csv
                                                    : output::RawForm::text;
  run.write([&](output::TextWriter& out) {
    bool first = true;
    run.for_each_recording([&](reader::Recording& recording) {
      analysis::RecordingFilter wanted(recording, run.symbolizer(), command.inputs.filter, {});
      wanted.prepare(command.inputs.recordings.jobs.threads());
      output::RawAccesses printer(recording, run.symbolizer(), run.profile(), form, out);
      if (std::exchange(first, false)) printer.write_header();
      analysis::FilteredVisitor filtered(wanted, printer);
      recording.visit_in_order(filtered);
      return printer.printed();
    });
  });
}

void write_stacks(const MemCommand& command, MemoryRun& run) {
  const bool several_events = run.profile().events_with_stacks().size() > 1;
  run.write_file(command.folded, [&](output::OutputFile& out) {
    output::write_folded(run.profile(),
                         {.threads = command.inputs.recordings.jobs.threads(), .event_frame = several_events}, out);
  });
}

void write_report(const MemCommand& command, MemoryRun& run) {
  const analysis::MemoryReport& report = run.report();
  const output::TerminalStyle style = terminal_style(command.inputs.output);
  constexpr std::size_t rows_of_overview = 10;
  const bool whole = command.inputs.json || command.inputs.csv;
  const std::size_t usual = whole                 ? 0
                            : command.overview    ? rows_of_overview
                            : style.is_terminal() ? rows_on_terminal
                                                  : 0;
  const output::MemoryContents contents{.report = report,
                                        .order = command.options.order,
                                        .limit = command.inputs.rows(usual),
                                        .overview = command.overview,
                                        .histogram = command.histogram,
                                        .notes = output::memory_notes(run.noted(), report)};
  run.write([&](output::TextWriter& out) {
    if (command.inputs.csv) return output::write_memory_csv(contents, out);
    if (command.inputs.json) return output::write_json(output::memory_json(contents), out);
    output::write_memory_text(contents, style, out);
  });
}

int MemCommand::run(const options::Arguments&) {
  prepare();
  MemoryRun run(inputs, only_stacks() ? "" : folded);
  if (raw) {
    write_raw(*this, run);
  } else if (run.collect(options)) {
    if (!folded.empty()) write_stacks(*this, run);
    if (!only_stacks()) write_report(*this, run);
  }
  return run.conclude();
}

}  // namespace

extern const Command mem_command{
    .name = "mem",
    .summary = "show what memory accesses found, and their latency",
    .usage =
        "Usage: perfsift mem [OPTIONS] [FILE...]\n\nShows what the memory accesses of recordings of perf mem record "
        "found, how long they took, and which\ncode and data they belong to.\n",
    .positional = ReadingOptions::positional,
    .start = start<MemCommand>,
};

}  // namespace perfsift::tools
