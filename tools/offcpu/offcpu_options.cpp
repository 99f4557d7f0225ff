#include "tools/offcpu/offcpu_options.h"

#include <algorithm>

#include <fmt/format.h>

#include "analysis/input/whole_file.h"
#include "base/error.h"
#include "options/number_option.h"
#include "output/files/run_files.h"
#include "tools/offcpu/spike_recordings.h"
#include "tools/record/size_options.h"

namespace perfsift::tools {

namespace po = boost::program_options;

namespace {

constexpr std::size_t most_series = 10'000;

std::string idle_list_in(const std::string& path) {
  std::string list = analysis::whole_file(path);
  if (list.empty()) throw InputError(path + ": is empty: there is no wait in it");
  return list;
}

}  // namespace

void OffcpuOptions::add_own(po::options_description& description) {
  auto add = description.add_options();
  add("wall-clock", po::bool_switch(&wall_clock), "with -o: add time on CPUs (by samples) and in run queues");
  add("csv", po::value(&csv)->value_name("FILE"), "write every interval to FILE; -: print them instead of the report");
  add("timehist", po::bool_switch(&timehist), "print the lines of perf sched timehist instead of the report");
  add("spikes-over", po::value(&spikes_text_)->value_name("TIME"), "list every interval of at least this length");
  add("cut-to", po::value(&cut_to)->value_name("FILE"),
      "with --spikes-over: write a recording of the spikes; %n in FILE: one per spike");
  add("around", po::value(&around_text_)->value_name("TIME"), "the time before and after spikes in --cut-to (5ms)");
  add("live", po::bool_switch(&live), "print a line per second during the recording, and spikes at once");
  add("prometheus", po::value(&prometheus)->value_name("FILE|:PORT"), "with --live: metrics in a file or by HTTP");
  add("prometheus-factor",
      options::number(
          factor_, {.least = output::HistogramBounds::least_factor, .most = output::HistogramBounds::greatest_factor})
          ->value_name("F"),
      "growth factor of the buckets of histograms (2)");
  add("prometheus-series", options::whole_number(series_, {.least = 0, .most = most_series}),
      "the most pairs of comm and kind with their own histogram (64)");
  add("idle-list", po::value(&idle_file_)->value_name("FILE"), "a list of the waits that --ignore-idle leaves out");
  add("show-idle-list", po::bool_switch(&show_idle_list), "print the built-in list of --idle-list and exit");
  add("fail-empty", po::bool_switch(&fail_empty), "exit status 1 if the filters keep no interval");
  add("all-cpus,a", po::bool_switch(&all_), "with --in-kernel: measure all threads, which happens anyway");
  add("call-graph", po::value(&call_graph)->value_name("fp|dwarf[,BYTES]"),
      "with --in-kernel: dwarf copies the stacks of the waits of --over, and unwinds the copies");
  add("max-time", po::value(&longest_text_)->value_name("TIME"), "with --in-kernel: measure for this time: 30s, 5m");
  add("no-inline", po::bool_switch(&no_inline_), "do not show inlined calls as frames");
}

void OffcpuOptions::add_to(po::options_description& description) {
  recordings.inputs.add_to(description);
  options::OutputOptions::add_to(description);
  add_own(description);
  filters_.add_to(description);
  waits.add_to(description);
  expressions_.add_to(description, "intervals", "blocked > 50us && wait == lock");
  quality_tables.add_to(description);
  recordings.naming.add_to(description);
  recordings.jobs.add_to(description);
}

void OffcpuOptions::prepare() {
  for (std::string* const file : {&output, &csv, &cut_to}) {
    if (output::OutputFile::is_standard_output(*file)) *file = output::OutputFile::standard_output;
  }
  const bool to_stdout[] = {json, timehist, output == output::OutputFile::standard_output,
                            csv == output::OutputFile::standard_output};
  if (std::ranges::count(to_stdout, true) > 1) {
    throw UsageError("only one of --json, --timehist, --output - and --csv - can have standard output");
  }
  options::OutputOptions::prepare();
  filter = offcpu::IntervalFilter(filters_.limits());
  expression = filter::Filter::parse(expressions_.texts(), filter::Subject::interval);
  if (wall_clock) {
    if (output.empty()) throw UsageError("--wall-clock is about folded stacks: it needs --output");
    if (folded.unit == offcpu::FoldedUnit::count) throw UsageError("--wall-clock is about time, not --unit count");
  }
  if (live && (prints_data() || !output.empty() || !csv.empty())) {
    throw UsageError("--live is a report without end: no --json, --csv, --timehist and --output");
  }
  if (!prometheus.empty() && !live) throw UsageError("--prometheus is about what happens now: it needs --live");
  check_in_kernel();
  check_metrics();
  check_spikes();
  folded.parts = wall_clock;
  if (!idle_file_.empty()) idle_list = idle_list_in(idle_file_);
  inlines = !no_inline_;
}

void OffcpuOptions::check_files(const RecordingRun& run) const {
  output::RunFiles files;
  run.note_files(files);
  expressions_.note_files(files);
  files.reads(idle_file_);
  files.writes(output::OutputFile::standard_output);
  for (const std::string& file : {output, csv, prometheus}) {
    if (file != output::OutputFile::standard_output) files.writes(file);
  }
  if (!cut_to.empty()) files.writes_numbered(cut_to, SpikeRecordings::number_mark);
}

void OffcpuOptions::check_in_kernel() {
  waits.complete();
  if (!longest_text_.empty()) longest = longest_in(longest_text_);
  if (!waits.in_kernel) {
    if (longest || all_ || !call_graph.empty())
      throw UsageError("--max-time, --all-cpus and --call-graph are about measuring now: they need --in-kernel");
    return;
  }
  if (recordings.inputs.names_any())
    throw UsageError("--in-kernel measures now and reads no file; a command to measure stands behind --");
  if (timehist || wall_clock) throw UsageError("--timehist and --wall-clock need every switch: leave --in-kernel away");
  if (!cut_to.empty()) throw UsageError("--cut-to needs a recording of every switch: leave --in-kernel away");
  if (!csv.empty() && !waits.over) throw UsageError("--csv lists single waits: with --in-kernel it needs --over TIME");
  waits.over_as(spikes_text_.empty() ? std::nullopt
                                     : std::optional(options::duration_option("--spikes-over", spikes_text_, 1000)));
  if (live && !waits.every) waits.every = std::chrono::seconds(1);
  if (live) metrics.period = static_cast<std::uint64_t>(waits.every->count());
  const bool lists = !prints_data() || json;
  if (lists && spikes_text_.empty()) spikes_over = waits.over;
}

void OffcpuOptions::check_metrics() {
  if ((factor_ || series_) && prometheus.empty()) {
    throw UsageError("--prometheus-factor and --prometheus-series are about metrics: they need --prometheus");
  }
  metrics.factor = factor_.value_or(metrics.factor);
  metrics.series = series_.value_or(metrics.series);
  metrics.filtered = filters();
}

void OffcpuOptions::check_spikes() {
  if (!spikes_text_.empty()) {
    if (prints_data() && !json) throw UsageError("--spikes-over lists on standard output, which has something else");
    spikes_over = options::duration_option("--spikes-over", spikes_text_, 1000);
  }
  if (spikes_over) metrics.notice = *spikes_over;
  if (!around_text_.empty()) {
    if (cut_to.empty()) throw UsageError("--around says how much is cut out of the recording: it needs --cut-to");
    around = options::duration_option("--around", around_text_, 1000);
  }
  if (cut_to.empty()) return;
  if (!spikes_over) throw UsageError("--cut-to is about spikes: it needs --spikes-over");
  if (live) throw UsageError("--cut-to reads the recording once more when it has ended, and --live has no end");
  if (cut_to == output::OutputFile::standard_output)
    throw UsageError("--cut-to writes files, which standard output is not");
}

}  // namespace perfsift::tools
