// One recording, and all that perfsift offcpu finds out about it.
//
//   Investigation investigation(options, *recording, symbolizer);
//   investigation.read();
//   investigation.write();
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

#include "reader/recording.h"
#include "symbolize/symbolizer.h"
#include "tools/offcpu/analysis.h"
#include "tools/offcpu/dispatcher.h"
#include "tools/offcpu/evidence.h"
#include "tools/offcpu/folded_intervals.h"
#include "tools/offcpu/idle_waits.h"
#include "tools/offcpu/interval_csv.h"
#include "tools/offcpu/interval_selection.h"
#include "tools/offcpu/live_report.h"
#include "tools/offcpu/metrics_target.h"
#include "tools/offcpu/offcpu_options.h"
#include "tools/offcpu/recent_history.h"
#include "tools/offcpu/recording_names.h"
#include "tools/offcpu/report.h"
#include "tools/offcpu/spike_recordings.h"
#include "tools/offcpu/spikes.h"
#include "tools/offcpu/timehist.h"
#include "tools/offcpu/wall_clock.h"
#include "tools/output/text_file.h"

namespace perfsift::offcpu {

// Not thread-safe. Everything it is given must live longer.
class Investigation {
 public:
  // Throws UsageError where the options ask for what this recording cannot have, Error where an output cannot be
  // opened.
  Investigation(const OffcpuOptions& options, reader::Recording& recording, symbolize::Symbolizer& symbolizer);

  // What is told while it is read: --live, --csv, --timehist, spikes. Throws OutputClosed, as write() does.
  void read();
  // All else.
  void write();
  // What the figures do not tell of themselves.
  std::vector<std::string> warnings() const;
  // After read(): why nothing can be said of the recording, and what to record; nothing where something can be said.
  std::optional<std::string> nothing_to_say() const { return why_nothing_can_be_said(evidence()); }
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
  class StackLimit : public FeedListener {
   public:
    explicit StackLimit(Investigation& investigation) : investigation_(investigation) {}
    void moment(std::uint64_t) override {
      if (investigation_.stacks_.size() >= most_stacks) investigation_.forget_stacks();
    }

   private:
    Investigation& investigation_;
  };

  void take(Spike spike);
  void end_second();
  void forget_stacks();

  Evidence evidence() const;
  Findings findings();
  std::vector<bool> kept_threads() const;
  void write_folded_stacks(const std::vector<bool>& kept);
  void write_spike_count(tools::TextWriter& out) const;
  WallClockCheck wall_clock_check(const std::vector<bool>& kept) const;

  const OffcpuOptions& options_;
  reader::Recording& recording_;
  symbolize::Symbolizer& symbolizer_;
  const tools::CodeVersions versions_;
  Dispatcher dispatcher_;
  Scheduler scheduler_;
  StackTable stacks_;
  RecordingNames names_;
  IntervalFacts facts_;
  std::optional<IntervalSelection> selection_;
  IdleWaits idle_;
  Analysis analysis_;
  FoldedIntervals folded_;
  RunningStacks running_;
  RecentHistory history_;
  RecordingFeed feed_;
  tools::TextFile standard_output_;
  std::optional<tools::TextFile> csv_file_;
  std::unique_ptr<IntervalCsv> csv_;
  std::optional<SpikeFinder> spikes_;
  std::vector<Spike> kept_spikes_;  // for JSON
  std::uint64_t spikes_not_listed_ = 0;
  std::optional<SpikeRecordings> cuts_;
  std::optional<TimehistPrinter> timehist_;
  std::unique_ptr<MetricsTarget> metrics_;
  std::unique_ptr<LiveReport> live_;
  StackLimit stack_limit_{*this};
};

}  // namespace perfsift::offcpu
