// perfsift offcpu: where the time went when threads were not running.

#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "base/error.h"
#include "reader/recording.h"
#include "tools/command.h"
#include "tools/diagnostics.h"
#include "tools/filter/filter_options.h"
#include "tools/input/whole_file.h"
#include "tools/offcpu/analysis.h"
#include "tools/offcpu/dispatcher.h"
#include "tools/offcpu/duration_text.h"
#include "tools/offcpu/folded_intervals.h"
#include "tools/offcpu/idle_waits.h"
#include "tools/offcpu/interval_csv.h"
#include "tools/offcpu/interval_filter.h"
#include "tools/offcpu/live_report.h"
#include "tools/offcpu/metrics_target.h"
#include "tools/offcpu/names.h"
#include "tools/offcpu/recent_history.h"
#include "tools/offcpu/recording_names.h"
#include "tools/offcpu/report.h"
#include "tools/offcpu/spike_recordings.h"
#include "tools/offcpu/spike_text.h"
#include "tools/offcpu/spikes.h"
#include "tools/offcpu/timehist.h"
#include "tools/offcpu/wall_clock.h"
#include "tools/output/folded.h"
#include "tools/output/output_file.h"
#include "tools/reading_options.h"

namespace perfsift::tools {
namespace {

using namespace perfsift::offcpu;  // NOLINT(google-build-using-namespace): what this command is made of

// What the command line says.
struct OffcpuCommand {
  ReadingOptions reading;
  NamingOptions naming;
  IntervalFilter filter;
  filter::Filter expression;  // of intervals
  FoldedIntervalsOptions folded;
  ReportOptions report;
  std::string output;  // of folded stacks; empty: none
  std::string csv;     // empty: none
  bool json = false;
  bool timehist = false;
  bool wall_clock = false;
  bool ignore_idle = false;
  bool show_idle_list = false;
  bool live = false;
  std::string prometheus;  // empty: nowhere
  bool inlines = true;
  std::optional<std::uint64_t> spikes_over;
  std::string cut_to;                // recordings of what is around spikes; empty: none
  std::uint64_t around = 5'000'000;  // nanoseconds
  std::string idle_list = IdleWaits::built_in;

  bool parse_arguments(const Arguments& arguments);
  // Whether something else than the report goes to standard output.
  bool prints_data() const {
    return json || timehist || output == OutputFile::standard_output || csv == OutputFile::standard_output;
  }

 private:
  void add_output_options(po::options_description& description);
  void check();
  void check_spikes();

  ExpressionOptions expressions_;
  std::string unit_ = "us";
  std::string split_;
  std::string delimiter_;
  std::string spikes_text_;
  std::string around_text_;
  std::string idle_file_;
  bool no_inline_ = false;
};

void OffcpuCommand::add_output_options(po::options_description& description) {
  auto add = description.add_options();
  add("output,o", po::value(&output)->value_name("FILE"), "write folded stacks there; - instead of the report");
  add("unit", po::value(&unit_)->value_name("us|ns|count"), "what folded stacks count (us)");
  add("delimiter,d", po::value(&delimiter_)->value_name("FRAME")->implicit_value("-"),
      "a frame between the user's and the kernel's part of folded stacks");
  add("waker", po::bool_switch(&folded.waker), "the waker's stack behind folded stacks");
  add("split", po::value(&split_)->value_name("state"), "the state at the switch as a frame of folded stacks");
  add("wall-clock", po::bool_switch(&wall_clock), "with -o: the time on a CPU, by samples, and in run queues, too");
  add("json", po::bool_switch(&json), "the report as JSON");
  add("csv", po::value(&csv)->value_name("FILE"), "write every interval there; - instead of the report");
  add("timehist", po::bool_switch(&timehist), "the lines of perf sched timehist instead of the report");
  add("rows", po::value(&report.rows)->value_name("N"), "lines of each table of the report (10)");
  add("spikes-over", po::value(&spikes_text_)->value_name("TIME"), "list every interval at least so long");
  add("cut-to", po::value(&cut_to)->value_name("FILE"),
      "with --spikes-over: a recording of what is around them; one for each where FILE has %n");
  add("around", po::value(&around_text_)->value_name("TIME"), "how much before and after them that is (5ms)");
  add("live", po::bool_switch(&live), "a line a second as the recording comes, and spikes as they happen");
  add("prometheus", po::value(&prometheus)->value_name("FILE|:PORT"), "with --live: metrics, to a file or by HTTP");
  add("ignore-idle", po::bool_switch(&ignore_idle), "leave known voluntary waits out, and say how much that was");
  add("idle-list", po::value(&idle_file_)->value_name("FILE"), "the waits that --ignore-idle leaves out");
  add("show-idle-list", po::bool_switch(&show_idle_list), "print the built-in list of them and exit");
  add("no-inline", po::bool_switch(&no_inline_), "no frames for calls that were inlined");
}

bool OffcpuCommand::parse_arguments(const Arguments& arguments) {
  po::options_description description("Options");
  reading.add_to(description);
  add_output_options(description);
  filter.add_to(description);
  expressions_.add_to(description, "intervals", R"(blocked > 50us && stack has "pthread_mutex_lock")");
  naming.add_to(description);
  if (!parse(arguments,
             "Usage: perfsift offcpu [OPTIONS] [FILE]\n\nTells where the time went when threads were not running, from "
             "a recording of sched:sched_switch and\nsched:sched_waking, of switch events, or of perf record "
             "--off-cpu.\n",
             description, ReadingOptions::positional)) {
    return false;
  }
  check();
  return true;
}

std::string idle_list_in(const std::string& path) {
  std::string list = whole_file(path);
  if (list.empty()) throw InputError(path + ": is empty: there is no wait in it");
  return list;
}

void OffcpuCommand::check() {
  const bool to_stdout[] = {json, timehist, output == OutputFile::standard_output, csv == OutputFile::standard_output};
  if (std::ranges::count(to_stdout, true) > 1) {
    throw UsageError("only one of --json, --timehist, --output - and --csv - can have standard output");
  }
  if (unit_ != "us" && unit_ != "ns" && unit_ != "count")
    throw UsageError("--unit " + unit_ + ": there are us, ns and count");
  if (!split_.empty() && split_ != "state") throw UsageError("--split " + split_ + ": there is state");
  filter.prepare();
  expression = filter::Filter::parse(expressions_.texts(), filter::Subject::interval);
  if (wall_clock) {
    if (output.empty()) throw UsageError("--wall-clock is about folded stacks: it needs --output");
    if (unit_ == "count") throw UsageError("--wall-clock is about time, not --unit count");
    if (ignore_idle || filter.any() || !expression.keeps_all())
      throw UsageError("--wall-clock is about all of the time: no filters, no --ignore-idle");
  }
  if (live && (prints_data() || !output.empty() || !csv.empty())) {
    throw UsageError("--live is a report without end: no --json, --csv, --timehist and --output");
  }
  if (!prometheus.empty() && !live) throw UsageError("--prometheus is about what happens now: it needs --live");
  check_spikes();
  folded.unit = unit_ == "us" ? FoldedUnit::microseconds : unit_ == "ns" ? FoldedUnit::nanoseconds : FoldedUnit::count;
  folded.state = !split_.empty();
  folded.parts = wall_clock;
  if (!delimiter_.empty()) folded.delimiter = delimiter_;
  if (!idle_file_.empty()) idle_list = idle_list_in(idle_file_);
  inlines = !no_inline_;
}

void OffcpuCommand::check_spikes() {
  if (!spikes_text_.empty()) {
    if (prints_data() && !json) throw UsageError("--spikes-over lists on standard output, which has something else");
    spikes_over = duration_option("--spikes-over", spikes_text_, 1000);
  }
  if (!around_text_.empty()) {
    if (cut_to.empty()) throw UsageError("--around says how much is cut out of the recording: it needs --cut-to");
    around = duration_option("--around", around_text_, 1000);
  }
  if (cut_to.empty()) return;
  if (!spikes_over) throw UsageError("--cut-to is about spikes: it needs --spikes-over");
  if (live) throw UsageError("--cut-to reads the recording once more when it has ended, and --live has no end");
  if (cut_to == OutputFile::standard_output) throw UsageError("--cut-to writes files, which standard output is not");
}

// Writes to a file as long as it lasts.
class TextFile {
 public:
  explicit TextFile(const std::string& path)
      : file_(path), writer_([this](std::string_view text) { file_.write(text); }) {}
  TextWriter& writer() { return writer_; }
  void commit() {
    writer_.flush();
    file_.commit();
  }

 private:
  OutputFile file_;
  TextWriter writer_;
};

// One recording, and all that is found out about it.
class Investigation {
 public:
  Investigation(const OffcpuCommand& command, reader::Recording& recording, symbolize::Symbolizer& symbolizer)
      : command_(command),
        recording_(recording),
        versions_(recording, symbolizer),
        dispatcher_(command.filter),
        scheduler_(dispatcher_),
        names_(recording, symbolizer, versions_, scheduler_, stacks_,
               {.demangling = symbolize::DemangleStyle::plain, .inlines = command.inlines}),
        idle_(command.idle_list, names_),
        analysis_(scheduler_),
        folded_(command.folded),
        running_(scheduler_),
        feed_(recording, {.tables = &symbolizer.unwind_tables(), .code_versions = &versions_}, versions_,
              {.waker_stacks = command.folded.waker || !command.csv.empty() || command.spikes_over.has_value(),
               .other_samples = command.wall_clock || command.spikes_over.has_value()},
              scheduler_, stacks_, dispatcher_),
        standard_output_(OutputFile::standard_output) {
    dispatcher_.use(scheduler_, recording.timeline());
    if (!command.expression.keeps_all()) {
      dispatcher_.select(&selection_.emplace(command.expression, recording, symbolizer, scheduler_, stacks_));
    }
    if (command.ignore_idle) dispatcher_.leave_out(&idle_);
    if (!command.live) dispatcher_.add(analysis_);
    add_outputs();
    if (command.live) add_live_report();
  }

  void read() {
    recording_.visit_in_order(feed_);
    scheduler_.finish();
    if (live_ != nullptr) live_->finish();
  }

  void write() {
    if (live_ != nullptr) return standard_output_.commit();
    if (csv_ != nullptr) csv_file_->commit();
    if (cuts_) cuts_->write();
    if (!command_.output.empty()) write_folded_stacks();
    TextWriter& out = standard_output_.writer();
    if (command_.json) out.text(report_json(findings(), names_, command_.report));
    if (spikes_ && !command_.json) write_spike_count(out);
    if (!command_.prints_data()) write_report(findings(), names_, command_.report, out);
    if (command_.wall_clock) {
      const std::string check = wall_clock_check().text();
      command_.prints_data() ? static_cast<void>(std::cerr << check) : out.text("\n" + check);
    }
    standard_output_.commit();
  }

  void warn(Diagnostics& diagnostics) const;

 private:
  void add_outputs() {
    if (command_.timehist) dispatcher_.add(timehist_.emplace(names_, standard_output_.writer()));
    if (!command_.csv.empty()) {
      csv_file_.emplace(command_.csv);
      csv_ = std::make_unique<IntervalCsv>(names_, csv_file_->writer());
      dispatcher_.add(*csv_);
    }
    if (!command_.output.empty()) dispatcher_.add(folded_);
    if (command_.wall_clock) dispatcher_.add(running_);
    if (command_.spikes_over) {
      dispatcher_.add(history_);
      dispatcher_.add(
          spikes_.emplace(*command_.spikes_over, history_, scheduler_, [this](const Spike& spike) { take(spike); }));
      if (!command_.cut_to.empty()) cuts_.emplace(recording_, command_.cut_to, command_.around);
    }
  }

  void take(const Spike& spike) {
    if (cuts_) cuts_->add(spike.interval);
    if (command_.json) return kept_spikes_.push_back(spike);
    write_spike(spike, names_, standard_output_.writer());
    if (command_.live) standard_output_.writer().flush();  // somebody waits to see it
  }

  void write_spike_count(TextWriter& out) const {
    out.format("{} spikes\n", spikes_->count());
    if (cuts_) {
      out.format("{} samples from {} before to {} after them are in {}\n", cuts_->samples(),
                 duration_text(command_.around), duration_text(command_.around), command_.cut_to);
    }
    out.text("\n");
  }

  void add_live_report() {
    if (!command_.prometheus.empty()) {
      metrics_ = MetricsTarget::open(command_.prometheus);
      if (!metrics_->url().empty() && !command_.reading.quiet)
        std::cerr << "perfsift: metrics at " << metrics_->url() << '\n';
    }
    live_ = std::make_unique<LiveReport>(command_.spikes_over.value_or(default_notice), names_,
                                         standard_output_.writer(), metrics_.get(), [this] { forget(); });
    dispatcher_.add(*live_);
  }

  // What a recording without end needs no more. Stacks of what is still off its CPU then have no names, so they are
  // only forgotten when there are many.
  void forget() {
    scheduler_.forget_dead();
    if (stacks_.size() < most_stacks) return;
    scheduler_.forget_stacks();
    feed_.forget_stacks();
    history_.forget_stacks();
    idle_.forget_stacks();
    if (selection_) selection_->forget_stacks();
    names_.forget();
    stacks_.forget();
  }

  Findings findings() const {
    Findings findings{.scheduler = scheduler_,
                      .analysis = analysis_,
                      .idle = dispatcher_.left_out(),
                      .idle_left_out = command_.ignore_idle,
                      .sources = feed_.sources(),
                      .kept = {},
                      .spikes = spikes_ ? &kept_spikes_ : nullptr,
                      .recordings = cuts_ ? &*cuts_ : nullptr};
    for (const ThreadClock& thread : scheduler_.threads()) {
      findings.kept.push_back(command_.filter.keeps(thread, recording_.timeline(), scheduler_.now()));
    }
    return findings;
  }

  void write_folded_stacks() {
    Profile profile;
    folded_.fill(profile, names_);
    if (command_.wall_clock) running_.fill(profile, names_, command_.folded.unit == FoldedUnit::nanoseconds ? 1 : 1000);
    OutputFile out(command_.output);
    write_folded(profile, {}, out);
    out.commit();
  }

  WallClockCheck wall_clock_check() const {
    std::uint64_t unknown = 0;
    for (const ThreadClock& thread : scheduler_.threads()) {
      if (thread.tid != 0) unknown += thread.times.unknown;
    }
    return check_wall_clock(scheduler_, running_.sampled() + running_.not_sampled() + folded_.total() + unknown);
  }

  static constexpr std::uint64_t default_notice = 1'000'000;  // nanoseconds
  static constexpr std::size_t most_stacks = 50'000;

  const OffcpuCommand& command_;
  reader::Recording& recording_;
  const CodeVersions versions_;
  Dispatcher dispatcher_;
  Scheduler scheduler_;
  StackTable stacks_;
  RecordingNames names_;
  std::optional<IntervalSelection> selection_;
  IdleWaits idle_;
  Analysis analysis_;
  FoldedIntervals folded_;
  RunningStacks running_;
  RecentHistory history_;
  RecordingFeed feed_;
  TextFile standard_output_;
  std::optional<TextFile> csv_file_;
  std::unique_ptr<IntervalCsv> csv_;
  std::optional<SpikeFinder> spikes_;
  std::vector<Spike> kept_spikes_;  // for JSON
  std::optional<SpikeRecordings> cuts_;
  std::optional<TimehistPrinter> timehist_;
  std::unique_ptr<MetricsTarget> metrics_;
  std::unique_ptr<LiveReport> live_;
};

// What the figures do not tell of themselves.
void Investigation::warn(Diagnostics& diagnostics) const {
  const auto warn = [&](const std::string& text) { diagnostics.warning(recording_.path(), text); };
  const SchedulerCounts& counts = scheduler_.counts();
  const FeedSources& sources = feed_.sources();
  if (!sources.switches && !sources.switch_records && !sources.sums) {
    warn(
        "tells nothing about switches: record with -e sched:sched_switch -e sched:sched_waking -a, or --switch-events");
  }
  if (feed_.unreadable() != 0) warn(fmt::format("{} samples about the scheduler cannot be read", feed_.unreadable()));
  if (counts.impossible != 0)
    warn(fmt::format("{} events of impossible threads or CPUs are left out", counts.impossible));
  if (counts.contradictions != 0) {
    warn(fmt::format("{} switches are missing, as others contradict each other: the time around them is unknown",
                     counts.contradictions));
  }
  if (counts.late != 0)
    warn(fmt::format("{} events came after later ones, and count as if they had happened then", counts.late));
  if (cuts_) std::ranges::for_each(cuts_->warnings(), warn);
}

}  // namespace

int offcpu(const Arguments& arguments) {
  OffcpuCommand command;
  if (!command.parse_arguments(arguments)) return done;
  if (command.show_idle_list) return std::cout << IdleWaits::built_in, done;

  Progress progress(command.reading.quiet);
  const std::string path = command.reading.single_path();
  reader::OpenOptions options = open_options(path, progress);
  options.store_stream = !command.cut_to.empty();  // to read it again
  const auto recording = reader::Recording::open(path, options);
  symbolize::Symbolizer symbolizer(command.naming.symbolize_options());
  Investigation investigation(command, *recording, symbolizer);
  try {
    investigation.read();
    progress.end();
    investigation.write();
  } catch (const OutputClosed&) {
    return done;
  }
  Diagnostics diagnostics(command.reading.quiet);
  investigation.warn(diagnostics);
  for (const std::string& warning : not_decoded(*recording)) diagnostics.warning(path, warning);
  diagnostics.report(path, recording->stats());
  return diagnostics.status();
}

}  // namespace perfsift::tools
