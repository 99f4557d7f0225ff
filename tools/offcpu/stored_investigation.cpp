#include "tools/offcpu/stored_investigation.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "analysis/offcpu/analysis.h"
#include "analysis/offcpu/dispatcher.h"
#include "analysis/offcpu/folded_intervals.h"
#include "analysis/offcpu/idle_waits.h"
#include "analysis/offcpu/limit_selection.h"
#include "analysis/offcpu/summed_waits_feed.h"
#include "base/error.h"
#include "base/printable.h"
#include "output/files/text_file.h"
#include "output/folded/folded.h"
#include "output/offcpu/report.h"
#include "output/quality/quality_lines.h"
#include "store/collector.h"
#include "store/stored_waits.h"
#include "store/url.h"
#include "store/wanted_rows.h"
#include "tools/open_store.h"

namespace perfsift::tools {
namespace {

void check_options(const OffcpuOptions& options, const store::StoreUrl& url) {
  const offcpu::IntervalLimits& limits = options.filter.limits();
  const auto refuse = [&](bool wanted, std::string_view why) {
    if (wanted) throw UsageError(fmt::format("{}: is a store, {}", printable(url.name()), why));
  };
  refuse(!options.csv.empty() || options.timehist || options.spikes_over || options.live,
         "which has histograms of waits and no single ones: --csv, --timehist, --spikes-over and --live need a "
         "recording");
  refuse(options.wall_clock, "which has no time on CPUs beside its waits: --wall-clock needs a recording");
  refuse(options.folded.waker, "which does not keep who woke a thread: --waker needs a recording");
  const bool by_length = limits.min_length != 0 || limits.max_length != offcpu::IntervalLimits().max_length;
  refuse(!options.expression.keeps_all() || by_length || !limits.pids.empty() || !limits.tids.empty() ||
             limits.user_threads || limits.kernel_threads,
         "whose waits are chosen by labels, thread, cgroup, from and to in its address, by --comms and by --state");
  refuse(!url.selection.events.empty(), "and a wait has no event: choose by labels, thread, cgroup, from and to");
}

// What is found out about the waits of a store, as Investigation does for a recording.
class StoredInvestigation {
 public:
  StoredInvestigation(const OffcpuOptions& options, const store::StoredRecordings& recordings,
                      const offcpu::SummedWaits& waits)
      : options_(options),
        recordings_(recordings),
        scheduler_(dispatcher_),
        names_(waits, scheduler_, stacks_),
        limits_(options.filter, scheduler_, names_),
        idle_(options.idle_list, names_),
        analysis_(scheduler_),
        folded_(options.folded, kinds_) {
    if (options.filter.any()) dispatcher_.select(limits_);
    if (options.ignore_idle) dispatcher_.leave_out(idle_);
    dispatcher_.add(analysis_);
    dispatcher_.add(folded_);
    offcpu::feed(waits, recordings.duration, scheduler_, stacks_, kinds_, dispatcher_);
    analysis_.finish(kinds_);
    sources_.switches = sources_.measured = true;
    sources_.wakeups = std::ranges::any_of(waits.sums, &offcpu::SummedWait::woken);
  }

  void write() {
    output::TextFile standard_output(output::OutputFile::standard_output);
    if (!options_.output.empty()) write_folded_stacks();
    if (options_.json) standard_output.writer().text(output::report_json(findings(), names_, options_.report));
    if (!options_.prints_data()) output::write_report(findings(), names_, options_.report, standard_output.writer());
    standard_output.commit();
  }
  const offcpu::IntervalCounts& counts() const { return dispatcher_.counts(); }

 private:
  output::Findings findings() {
    return {.scheduler = scheduler_,
            .analysis = analysis_,
            .idle = dispatcher_.left_out(),
            .idle_left_out = options_.ignore_idle,
            .sources = sources_,
            .scope = output::Scope::sums,
            .intervals = dispatcher_.counts().seen,
            .kept = std::vector<bool>(scheduler_.threads().size(), true),
            .of_kernel = {},
            .waits = kinds_,
            .notes = output::quality_lines(recordings_.quality),
            .recordings = recordings_.recordings};
  }

  void write_folded_stacks() {
    analysis::Profile profile;
    folded_.fill(profile, names_, {});
    output::OutputFile out(options_.output);
    output::write_folded(profile, {}, out);
    out.commit();
  }

  const OffcpuOptions& options_;
  const store::StoredRecordings& recordings_;
  offcpu::Dispatcher dispatcher_;
  offcpu::Scheduler scheduler_;
  offcpu::StackTable stacks_;
  offcpu::SummedWaitsNames names_;
  offcpu::LimitSelection limits_;
  offcpu::NoSymbols no_symbols_;
  offcpu::WaitKinds kinds_{no_symbols_};
  offcpu::IdleWaits idle_;
  offcpu::Analysis analysis_;
  offcpu::FoldedIntervals folded_;
  offcpu::FeedSources sources_;
};

void report_nothing(const OffcpuOptions& options, const std::string& url, const offcpu::IntervalCounts& counts,
                    Diagnostics& diagnostics) {
  if (counts.seen == 0) {
    diagnostics.unusable(fmt::format(
        "{}: has no waits of these recordings: perfsift store add keeps those of recordings with switches", url));
  } else if (counts.kept == 0) {
    const std::string nothing = fmt::format("0 of {} intervals match", counts.seen);
    options.fail_empty ? diagnostics.check_failed(url + ": " + nothing) : diagnostics.warning(url, nothing);
  }
}

}  // namespace

analysis::Quality write_waits_of_store(const OffcpuOptions& options, const std::string& url, RecordingRun& run) {
  const store::StoreUrl parsed = store::parse_store_url(url);
  check_options(options, parsed);
  analysis::FrameTable frames;
  const analysis::FrameStyle style{.inlines = options.inlines, .detail = analysis::FrameDetail::function};
  store::StoredRecordings recordings;
  offcpu::SummedWaits waits;
  run.progress().show([&] { return "reading " + url; });
  use_store(parsed, [&](store::Engine& engine) {
    store::read_unchanged(engine, parsed.selection, [&](const store::Selection& selection) {
      recordings = store::describe(engine, selection);
      waits = store::read_waits(engine, selection, frames, style);
      store::check_unchanged(engine, selection, recordings.state);
    });
  });
  StoredInvestigation investigation(options, recordings, waits);
  run.end_progress();
  if (investigation.counts().seen != 0) investigation.write();
  report_nothing(options, url, investigation.counts(), run.diagnostics());
  return recordings.quality;
}

}  // namespace perfsift::tools
