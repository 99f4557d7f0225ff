// perfsift-offcpu.so: perf script shows where the time went when threads were not running, and prints no samples.

#include <algorithm>
#include <cstdio>
#include <optional>

#include <fmt/format.h>

#include "analysis/offcpu/analysis.h"
#include "analysis/offcpu/dispatcher.h"
#include "analysis/offcpu/evidence.h"
#include "analysis/offcpu/idle_waits.h"
#include "analysis/offcpu/interval_filter.h"
#include "analysis/offcpu/limit_selection.h"
#include "base/error.h"
#include "dlfilters/module/module.h"
#include "dlfilters/module/module_feed.h"
#include "dlfilters/module/perf_names.h"
#include "options/command_line.h"
#include "options/interval_filter_options.h"
#include "options/offcpu_output_options.h"
#include "output/files/output_file.h"
#include "output/files/run_files.h"
#include "output/folded/folded.h"
#include "reader/timeline/timeline.h"

namespace perfsift::dlfilter {

constinit const ModuleDescription module_description{
    .name = "perfsift-offcpu.so",
    .summary = "shows where the time went when threads were not running",
    .help =
        "perf script --dlfilter perfsift-offcpu.so [--dlarg OPTION]...\n"
        "The options are those of perfsift offcpu, for example:\n"
        "  --dlarg --output=out.folded\n"
        "  --dlarg --min-block --dlarg 1ms\n"
        "--dlarg --help lists them; see perfsift-dlfilters(7)."};

namespace {

using namespace offcpu;  // NOLINT(google-build-using-namespace): what this module is made of
using output::OutputFile;
namespace po = options::po;

struct ModuleOptions : options::OutputOptions {
  IntervalFilter filter;

  // False if the options asked for help, which has been printed.
  bool parse(const std::vector<std::string>& arguments);
  bool prints_report() const { return output != OutputFile::standard_output; }
};

// Threads of the kernel are known by their parents, which perf does not give.
void add_filters(options::IntervalFilterOptions& filters, po::options_description& options) {
  po::options_description all;
  filters.add_to(all);
  for (const auto& option : all.options()) {
    const std::string& name = option->long_name();
    if (name != "user-threads" && name != "kernel-threads") options.add(option);
  }
}

bool ModuleOptions::parse(const std::vector<std::string>& arguments) {
  po::options_description options("Options");
  add_to(options);
  options::IntervalFilterOptions filters;
  add_filters(filters, options);
  if (!options::parse(arguments, std::string("Usage: ") + module_description.help + "\n", options)) return false;
  prepare();
  filter = IntervalFilter(filters.limits());
  output::check_output_of_module(output);
  if (json && !prints_report()) throw UsageError("only one of --json and --output - can have standard output");
  return true;
}

class OffcpuModule : public Module {
 public:
  explicit OffcpuModule(ModuleOptions options)
      : options_(std::move(options)),
        scheduler_(dispatcher_),
        names_(scheduler_, stacks_),
        limits_(options_.filter, scheduler_, names_),
        idle_(IdleWaits::built_in, names_),
        analysis_(scheduler_),
        waits_(names_),
        folded_(options_.folded, waits_),
        feed_({.waker_stacks = options_.folded.waker}, scheduler_, names_, dispatcher_) {
    if (options_.filter.any()) dispatcher_.select(limits_);
    if (options_.ignore_idle) dispatcher_.leave_out(idle_);
    dispatcher_.add(analysis_);
    if (options_.output.empty()) return;
    out_.emplace(options_.output);
    if (!FoldedIntervals::needs_only_groups(options_.folded)) dispatcher_.add(folded_);
  }

  // perf prints none.
  bool keeps(PerfSample& sample) override {
    feed_.sample(sample);
    return false;
  }

  void finish() override {
    scheduler_.finish();
    analysis_.finish(waits_);
    if (FoldedIntervals::needs_only_groups(options_.folded)) folded_.add(analysis_.groups());
    notice_unseen_switches();
    std::fflush(stdout);  // what perf has printed comes first
    if (out_) write_folded_stacks();
    if (options_.prints_report() && says_something()) write_report();
  }

 private:
  void notice_unseen_switches() const {
    if (feed_.misses_switch_records()) {
      notice("records of switches (--switch-events) are not shown to a dlfilter: only sched:sched_switch counts here");
    } else if (!says_something()) {
      notice(fmt::format(
          "no switches: record with `{}`; records of switches (--switch-events) are not shown to a dlfilter",
          record_tracepoints));
    }
  }
  bool says_something() const { return scheduler_.counts().switches != 0 || feed_.sources().sums; }

  void write_folded_stacks() {
    analysis::Profile profile;
    folded_.fill(profile, names_, kept_threads());
    output::write_folded(profile, {}, *out_);
    out_->commit();
  }

  void write_report() {
    OutputFile standard_output(OutputFile::standard_output);
    output::TextWriter text([&](std::string_view piece) { standard_output.write(piece); });
    if (options_.json) {
      text.text(report_json(findings(), names_, options_.report));
    } else {
      output::write_report(findings(), names_, options_.report, text);
    }
    text.flush();
    standard_output.commit();
  }

  std::vector<bool> kept_threads() const {
    std::vector<bool> kept;
    for (const ThreadClock& thread : scheduler_.threads()) kept.push_back(limits_.keeps(thread));
    return kept;
  }

  output::Findings findings() {
    const bool some_intervals = options_.ignore_idle || options_.filter.of_intervals();
    return {.scheduler = scheduler_,
            .analysis = analysis_,
            .idle = dispatcher_.left_out(),
            .idle_left_out = options_.ignore_idle,
            .sources = feed_.sources(),
            .scope = some_intervals                 ? output::Scope::intervals
                     : options_.filter.of_threads() ? output::Scope::threads
                                                    : output::Scope::all,
            .intervals = dispatcher_.counts().seen,
            .kept = kept_threads(),
            .waits = waits_};
  }

  const ModuleOptions options_;
  std::optional<OutputFile> out_;  // of folded stacks
  Dispatcher dispatcher_;
  Scheduler scheduler_;
  StackTable stacks_;
  PerfNames names_;
  LimitSelection limits_;
  IdleWaits idle_;
  Analysis analysis_;
  WaitKinds waits_;
  FoldedIntervals folded_;
  ModuleFeed feed_;
};

}  // namespace

std::unique_ptr<Module> make_module(const std::vector<std::string>& arguments) {
  ModuleOptions options;
  if (!options.parse(arguments)) return nullptr;
  return std::make_unique<OffcpuModule>(std::move(options));
}

}  // namespace perfsift::dlfilter
