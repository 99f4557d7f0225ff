#include "tools/page/wait_reading.h"

#include <functional>
#include <memory>
#include <utility>

#include "analysis/offcpu/dispatcher.h"
#include "analysis/offcpu/evidence.h"
#include "analysis/offcpu/interval_facts.h"
#include "analysis/offcpu/interval_selection.h"
#include "analysis/offcpu/recording_feed.h"
#include "analysis/offcpu/recording_names.h"
#include "analysis/offcpu/scheduler.h"
#include "analysis/offcpu/stack_table.h"
#include "analysis/samples/code_versions.h"
#include "reader/recording.h"

namespace perfsift::tools {
namespace {

// Calls take(interval) for each interval.
class Intervals : public offcpu::Consumer {
 public:
  explicit Intervals(std::function<void(const offcpu::Interval&)> take) : take_(std::move(take)) {}
  void interval(const offcpu::Interval& interval) override { take_(interval); }

 private:
  const std::function<void(const offcpu::Interval&)> take_;
};

// A recording that is read for its context switches.
class SwitchReading {
 public:
  SwitchReading(const std::string& path, symbolize::Symbolizer& symbolizer, bool waker_stacks)
      : recording_(reader::Recording::open(path)),
        versions_(*recording_, symbolizer),
        names_(*recording_, symbolizer, versions_, scheduler_, stacks_, {}),
        facts_(*recording_, symbolizer, scheduler_, stacks_),
        feed_(*recording_, {.symbolizer = &symbolizer, .code_versions = &versions_}, versions_,
              {.waker_stacks = waker_stacks}, scheduler_, stacks_, dispatcher_) {}

  void read(const std::function<void(const offcpu::Interval&)>& take) {
    Intervals intervals(take);
    dispatcher_.add(intervals);
    recording_->visit_in_order(feed_);
    scheduler_.finish();
  }
  // After read().
  offcpu::Evidence evidence() const {
    return {.sources = feed_.sources(), .counts = scheduler_.counts(), .whole_intervals = dispatcher_.counts().whole};
  }
  std::vector<output::PageWaits::Thread> threads() const {
    std::vector<output::PageWaits::Thread> threads;
    for (offcpu::ThreadNumber thread = 0; thread < scheduler_.threads().size(); ++thread) {
      const offcpu::ThreadClock& clock = scheduler_.threads()[thread];
      threads.push_back({.pid = clock.pid,
                         .tid = clock.tid,
                         .comm = names_.recorded_comm(thread),
                         .unknown = clock.tid == 0 ? 0 : clock.times.unknown});
    }
    return threads;
  }
  const reader::Recording& recording() const { return *recording_; }
  offcpu::IntervalFacts& facts() { return facts_; }

 private:
  const std::unique_ptr<reader::Recording> recording_;
  const analysis::CodeVersions versions_;
  offcpu::Dispatcher dispatcher_;
  offcpu::Scheduler scheduler_{dispatcher_};
  offcpu::StackTable stacks_;
  const offcpu::RecordingNames names_;
  offcpu::IntervalFacts facts_;
  offcpu::RecordingFeed feed_;
};

}  // namespace

WaitReading read_waits(const std::string& path, symbolize::Symbolizer& symbolizer) {
  SwitchReading reading(path, symbolizer, false);
  output::PageWaits waits;
  reading.read([&](const offcpu::Interval& interval) {
    waits.intervals.push_back({.thread = interval.thread,
                               .start = interval.start,
                               .length = interval.length(),
                               .run_queue = interval.run_queue,
                               .unknown = interval.unknown,
                               .is_whole = interval.is_whole()});
  });
  if (const auto why = offcpu::why_nothing_can_be_said(reading.evidence())) {
    return {.waits = {}, .missing = "waits: the recording " + *why};
  }
  waits.threads = reading.threads();
  WaitReading read{.waits = std::move(waits), .missing = {}};
  if (const auto missing = offcpu::missing_switches(reading.evidence())) read.missing = "waits: " + *missing;
  return read;
}

std::vector<bool> kept_waits(const std::string& path, const filter::Filter& filter, symbolize::Symbolizer& symbolizer,
                             const analysis::StopFlag& stop) {
  SwitchReading reading(path, symbolizer, filter.uses_waker_stack());
  offcpu::IntervalSelection selection(filter, reading.recording(), reading.facts());
  std::vector<bool> kept;
  reading.read([&](const offcpu::Interval& interval) {
    stop.check();
    kept.push_back(selection.keeps(interval));
  });
  return kept;
}

}  // namespace perfsift::tools
