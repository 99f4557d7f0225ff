#include "tools/offcpu/investigation.h"

#include <algorithm>
#include <iostream>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "base/clock_time.h"
#include "base/printable.h"
#include "output/folded/folded.h"
#include "output/offcpu/duration_text.h"
#include "output/offcpu/measuring_metrics.h"
#include "output/offcpu/spike_text.h"
#include "output/offcpu/wall_clock_text.h"
#include "output/quality/quality_lines.h"

namespace perfsift::tools {

using output::OutputFile;

Investigation::Investigation(const OffcpuOptions& options, reader::Recording& recording,
                             symbolize::Symbolizer& symbolizer)
    : options_(options),
      recording_(recording),
      symbolizer_(symbolizer),
      versions_(recording, symbolizer),
      scheduler_(dispatcher_),
      names_(recording, symbolizer, versions_, scheduler_, stacks_,
             {.demangling = symbolize::DemangleStyle::plain, .inlines = options.inlines}),
      limits_(options.filter, scheduler_, names_),
      facts_(recording, symbolizer, scheduler_, stacks_),
      idle_(options.idle_list, names_),
      analysis_(scheduler_),
      stack_quality_(recording, symbolizer, stacks_),
      folded_(options.folded, facts_.waits()),
      running_(scheduler_),
      feed_(recording, {.symbolizer = &symbolizer, .code_versions = &versions_}, versions_,
            {.waker_stacks = options.folded.waker || !options.csv.empty() || options.spikes_over.has_value() ||
                             options.expression.uses_waker_stack(),
             .other_samples = options.wall_clock || options.spikes_over.has_value()},
            scheduler_, stacks_, dispatcher_),
      standard_output_(OutputFile::standard_output) {
  if (options.filter.any()) dispatcher_.select(limits_);
  if (!options.expression.keeps_all()) {
    dispatcher_.select(selection_.emplace(options.expression, recording, facts_));
  }
  if (options.ignore_idle) dispatcher_.leave_out(idle_);
  add_outputs();
  if (options.spikes_over) add_spikes();
  if (options.live) add_live_report();
}

void Investigation::add_outputs() {
  if (has_groups()) dispatcher_.add(analysis_);
  if (judges_stacks() && !has_groups()) dispatcher_.add(stack_quality_);
  if (options_.timehist) dispatcher_.add(timehist_.emplace(names_, standard_output_.writer()));
  if (!options_.csv.empty()) {
    csv_file_.emplace(options_.csv);
    csv_ = std::make_unique<output::IntervalCsv>(names_, facts_.waits(), csv_file_->writer());
    dispatcher_.add(*csv_);
  }
  if (!options_.output.empty() && !folds_groups()) dispatcher_.add(folded_);
  if (options_.wall_clock) dispatcher_.add(running_);
}

// Whether standard output gets the report, as text, as JSON or by --live.
bool Investigation::reports() const { return options_.json || !options_.prints_data(); }

bool Investigation::folds_groups() const {
  return !options_.output.empty() && offcpu::FoldedIntervals::needs_only_groups(options_.folded);
}

bool Investigation::has_groups() const {
  return !options_.live && (reports() || options_.wall_clock || folds_groups());
}

bool Investigation::judges_stacks() const { return reports() || options_.quality_tables.any(); }

void Investigation::add_spikes() {
  dispatcher_.add(history_);
  const auto take_it = [this](offcpu::Spike spike) { take(std::move(spike)); };
  const std::uint64_t most = options_.live ? most_spikes_a_second : offcpu::SpikeFinder::all;
  dispatcher_.add(spikes_.emplace(*options_.spikes_over, most, history_, scheduler_, take_it));
  if (!options_.cut_to.empty()) cuts_.emplace(recording_, options_.cut_to, options_.around);
}

void Investigation::add_live_report() {
  output::LiveReport::Publish publish;
  if (!options_.prometheus.empty()) {
    metrics_ = MetricsTarget::open(options_.prometheus);
    if (!metrics_->url().empty() && !options_.recordings.inputs.quiet)
      std::cerr << "perfsift: metrics at " << metrics_->url() << '\n';
    publish = [this](const std::string& metrics) {
      metrics_->publish(metrics + output::measuring_metrics(feed_.sources(), clock_time(CLOCK_PROCESS_CPUTIME_ID)));
    };
  }
  live_ = std::make_unique<output::LiveReport>(options_.metrics, names_, facts_.waits(), standard_output_.writer(),
                                               std::move(publish), [this] { end_second(); });
  dispatcher_.add(*live_);
  dispatcher_.add(stack_limit_);
}

// --- while it is read ---

void Investigation::read() {
  const std::jthread loading = load_kernel_names();
  recording_.visit_in_order(feed_);
  scheduler_.finish();
  if (judges_stacks()) {
    if (has_groups()) stack_quality_.add(analysis_.groups());
    quality_ = stack_quality_.quality();
  }
  if (live_ != nullptr) return end_second(), live_->finish(output::quality_lines(quality_));
  analysis_.finish(facts_.waits());
  if (offcpu::FoldedIntervals::needs_only_groups(options_.folded)) folded_.add(analysis_.groups());
}

// Nearly every stack is named in the end, and to load the kernel's names takes a tenth of the time that reading does.
// The contents of a stream are not known yet.
std::jthread Investigation::load_kernel_names() {
  const bool has_stacks =
      std::ranges::any_of(recording_.events(), [](const auto& event) { return event->has_callchain(); });
  if (!has_stacks || recording_.streamed() || options_.recordings.jobs.threads() == 1) return {};
  return std::jthread([this] {
    for (const Binary& binary : recording_.timeline().binaries()) {
      if (binary.kind == BinaryKind::kernel) symbolizer_.file(binary);
    }
  });
}

void Investigation::take(offcpu::Spike spike) {
  if (cuts_) spike.recording = cuts_->add(spike.interval);
  if (options_.json) return kept_spikes_.push_back(std::move(spike));
  output::write_spike(spike, names_, facts_.waits(), standard_output_.writer());
  if (options_.live) standard_output_.writer().flush();  // the report of a second is shown at once
}

// A list of every switch as a spike is longer than anybody reads. While the list is written, perf's buffers fill up,
// and all of them must be kept until their records are in order.
void Investigation::end_second() {
  scheduler_.forget_dead();
  const std::uint64_t not_listed = spikes_ ? spikes_->begin_second() : 0;
  if (not_listed == 0) return;
  spikes_not_listed_ += not_listed;
  standard_output_.writer().format("{} more spikes since the line before are not listed\n", not_listed);
  standard_output_.writer().flush();
}

// A thread that is off its CPU then loses the name of its stack, so stacks are forgotten only if there are many.
void Investigation::forget_stacks() {
  scheduler_.forget_stacks();
  feed_.forget_stacks();
  history_.forget_stacks();
  idle_.forget_stacks();
  live_->forget_stacks();
  stack_quality_.forget_stacks();
  facts_.forget_stacks();
  names_.forget();
  stacks_.forget();
}

// --- when it has been read ---

void Investigation::write() {
  if (live_ != nullptr) return standard_output_.commit();
  if (csv_ != nullptr) csv_file_->commit();
  if (cuts_) cuts_->write();
  const std::vector<bool> kept = kept_threads();
  if (!options_.output.empty()) write_folded_stacks(kept);
  output::TextWriter& out = standard_output_.writer();
  if (options_.json) out.text(output::report_json(findings(), names_, options_.report));
  if (spikes_ && !options_.json) write_spike_count(out);
  if (!options_.prints_data()) output::write_report(findings(), names_, options_.report, out);
  if (options_.wall_clock) {
    const std::string check = output::wall_clock_text(wall_clock_check(kept));
    options_.prints_data() ? static_cast<void>(std::cerr << check) : out.text("\n" + check);
  }
  standard_output_.commit();
}

std::vector<bool> Investigation::kept_threads() const {
  std::vector<bool> kept;
  for (const offcpu::ThreadClock& thread : scheduler_.threads()) kept.push_back(limits_.keeps(thread));
  return kept;
}

output::Findings Investigation::findings() {
  output::Findings findings{.scheduler = scheduler_,
                            .analysis = analysis_,
                            .idle = dispatcher_.left_out(),
                            .idle_left_out = options_.ignore_idle,
                            .sources = feed_.sources(),
                            .scope = options_.filters_intervals()   ? output::Scope::intervals
                                     : options_.filter.of_threads() ? output::Scope::threads
                                                                    : output::Scope::all,
                            .intervals = dispatcher_.counts().seen,
                            .kept = kept_threads(),
                            .of_kernel = {},
                            .waits = facts_.waits(),
                            .spikes = spikes_ ? &kept_spikes_ : nullptr,
                            .notes = output::quality_lines(quality_)};
  for (const offcpu::ThreadClock& thread : scheduler_.threads()) {
    findings.of_kernel.push_back(names_.is_kernel_thread(thread, scheduler_.now()));
  }
  return findings;
}

void Investigation::write_folded_stacks(const std::vector<bool>& kept) {
  analysis::Profile profile;
  folded_.fill(profile, names_, kept);
  const std::uint64_t unit = options_.folded.unit == offcpu::FoldedUnit::nanoseconds ? 1 : 1000;
  if (options_.wall_clock) running_.fill(profile, names_, unit, kept);
  OutputFile out(options_.output);
  output::write_folded(profile, {}, out);
  out.commit();
}

void Investigation::write_spike_count(output::TextWriter& out) const {
  out.format("{} spikes\n", spikes_->count());
  if (cuts_) {
    out.format("{} samples from {} before to {} after them are in {}\n", cuts_->samples(),
               output::duration_text(options_.around), output::duration_text(options_.around),
               printable(options_.cut_to));
  }
  out.text("\n");
}

offcpu::WallClockCheck Investigation::wall_clock_check(const std::vector<bool>& kept) const {
  std::uint64_t unknown = 0;
  for (offcpu::ThreadNumber number = 0; number < scheduler_.threads().size(); ++number) {
    const offcpu::ThreadClock& thread = scheduler_.threads()[number];
    if (thread.tid != 0 && kept[number]) unknown += thread.times.unknown;
  }
  offcpu::WallClockCheck check =
      offcpu::check_wall_clock(scheduler_, kept, options_.filters() ? &analysis_.by_thread() : nullptr,
                               running_.sampled(kept) + running_.not_sampled(kept) + folded_.total(kept) + unknown);
  // Filters of threads leave out only the intervals of a thread under another name.
  if (!options_.filters_intervals() && check.left_out == 0) check.left_out.reset();
  return check;
}

offcpu::Evidence Investigation::evidence() const {
  return {.sources = feed_.sources(), .counts = scheduler_.counts(), .whole_intervals = dispatcher_.counts().whole};
}

std::optional<std::string> Investigation::nothing_kept() const {
  const offcpu::IntervalCounts& counts = dispatcher_.counts();
  if (counts.seen == 0 || counts.kept != 0) return std::nullopt;
  return fmt::format("0 of {} intervals match", counts.seen);
}

std::vector<std::string> Investigation::warnings() const {
  std::vector<std::string> warnings;
  const offcpu::SchedulerCounts& counts = scheduler_.counts();
  const auto warn = [&](std::uint64_t count, std::string_view of_what) {
    if (count != 0) warnings.push_back(fmt::format("{} {}", count, of_what));
  };
  warn(feed_.unreadable(), "samples about the scheduler cannot be read");
  warn(counts.impossible, "events of impossible threads or CPUs are left out");
  if (const auto missing = offcpu::missing_switches(evidence())) warnings.push_back(*missing);
  warn(counts.late, "events came late, and count at the time of the newest event");
  if (spikes_not_listed_ != 0) {
    warnings.push_back(fmt::format("{} spikes are not listed: only the first {} of each line are", spikes_not_listed_,
                                   most_spikes_a_second));
  }
  if (cuts_) warnings.insert(warnings.end(), cuts_->warnings().begin(), cuts_->warnings().end());
  return warnings;
}

}  // namespace perfsift::tools
