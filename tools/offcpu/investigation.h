// One recording, and all that perfsift offcpu finds out about it.
//
// ```cpp
// Investigation investigation(offcpu_options, *recording, symbolizer);
// investigation.read();
// investigation.write();
// ```
//
// RecordingFeed makes events of it, Scheduler intervals of these, and Dispatcher hands those that count to everybody
// whom the options ask for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "analysis/offcpu/analysis.h"
#include "analysis/offcpu/dispatcher.h"
#include "analysis/offcpu/evidence.h"
#include "analysis/offcpu/folded_intervals.h"
#include "analysis/offcpu/idle_waits.h"
#include "analysis/offcpu/interval_quality.h"
#include "analysis/offcpu/interval_selection.h"
#include "analysis/offcpu/limit_selection.h"
#include "analysis/offcpu/recent_history.h"
#include "analysis/offcpu/recording_names.h"
#include "analysis/offcpu/spikes.h"
#include "analysis/offcpu/wall_clock.h"
#include "output/files/text_file.h"
#include "output/offcpu/interval_csv.h"
#include "output/offcpu/live_report.h"
#include "output/offcpu/report.h"
#include "output/offcpu/timehist.h"
#include "reader/recording.h"
#include "symbolize/symbolizer.h"
#include "tools/offcpu/metrics_target.h"
#include "tools/offcpu/offcpu_options.h"
#include "tools/offcpu/spike_recordings.h"

namespace perfsift::tools {

// Not thread-safe. Everything it is given must live longer.
class Investigation {
 public:
  // Throws UsageError where the options ask for what this recording cannot have, Error where an output cannot be
  // opened.
  Investigation(const OffcpuOptions& options, reader::Recording& recording, symbolize::Symbolizer& symbolizer);

  // Reads, and prints what comes meanwhile: --live, --csv, --timehist, spikes. Throws OutputClosed, as write() does.
  void read();
  // Writes all other outputs.
  void write();
  // Notes on what the figures do not show.
  std::vector<std::string> warnings() const;
  // After read(): why the recording shows no intervals, and what to record; nothing if it shows some.
  std::optional<std::string> nothing_to_say() const { return offcpu::why_nothing_can_be_said(evidence()); }
  // After read(): the quality of the recording and of the intervals' stacks, if the options ask for it.
  const analysis::Quality& quality() const { return quality_; }
  // "0 of 3677 intervals match", where filters kept none of those that there are.
  std::optional<std::string> nothing_kept() const;

 private:
  // With --live.
  static constexpr std::size_t most_stacks = 50'000;
  static constexpr std::uint64_t most_spikes_a_second = 1000;

  std::jthread load_kernel_names();
  void add_outputs();
  void add_spikes();
  void add_live_report();
  // A recording without end is one of stacks without end.
  class StackLimit : public offcpu::FeedListener {
   public:
    explicit StackLimit(Investigation& investigation) : investigation_(investigation) {}
    void moment(std::uint64_t) override {
      if (investigation_.stacks_.size() >= most_stacks) investigation_.forget_stacks();
    }

   private:
    Investigation& investigation_;
  };

  void take(offcpu::Spike spike);
  void end_second();
  void forget_stacks();

  bool reports() const;
  bool folds_groups() const;
  bool has_groups() const;  // analysis_ gets the intervals
  bool judges_stacks() const;
  offcpu::Evidence evidence() const;
  output::Findings findings();
  std::vector<bool> kept_threads() const;
  void write_folded_stacks(const std::vector<bool>& kept);
  void write_spike_count(output::TextWriter& out) const;
  offcpu::WallClockCheck wall_clock_check(const std::vector<bool>& kept) const;

  const OffcpuOptions& options_;
  reader::Recording& recording_;
  symbolize::Symbolizer& symbolizer_;
  const analysis::CodeVersions versions_;
  offcpu::Dispatcher dispatcher_;
  offcpu::Scheduler scheduler_;
  offcpu::StackTable stacks_;
  offcpu::RecordingNames names_;
  offcpu::LimitSelection limits_;
  offcpu::IntervalFacts facts_;
  std::optional<offcpu::IntervalSelection> selection_;
  offcpu::IdleWaits idle_;
  offcpu::Analysis analysis_;
  offcpu::IntervalQuality stack_quality_;
  analysis::Quality quality_;
  offcpu::FoldedIntervals folded_;
  offcpu::RunningStacks running_;
  offcpu::RecentHistory history_;
  offcpu::RecordingFeed feed_;
  output::TextFile standard_output_;
  std::optional<output::TextFile> csv_file_;
  std::unique_ptr<output::IntervalCsv> csv_;
  std::optional<offcpu::SpikeFinder> spikes_;
  std::vector<offcpu::Spike> kept_spikes_;  // for JSON
  std::uint64_t spikes_not_listed_ = 0;
  std::optional<SpikeRecordings> cuts_;
  std::optional<output::TimehistPrinter> timehist_;
  std::unique_ptr<MetricsTarget> metrics_;
  std::unique_ptr<output::LiveReport> live_;
  StackLimit stack_limit_{*this};
};

}  // namespace perfsift::tools
