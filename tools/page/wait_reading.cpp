#include "tools/page/wait_reading.h"

#include <vector>

#include "analysis/offcpu/dispatcher.h"
#include "analysis/offcpu/evidence.h"
#include "analysis/offcpu/recording_feed.h"
#include "analysis/offcpu/recording_names.h"
#include "analysis/offcpu/scheduler.h"
#include "analysis/offcpu/stack_table.h"
#include "analysis/samples/code_versions.h"
#include "reader/recording.h"

namespace perfsift::tools {
namespace {

// Complete intervals: of others the length is not known.
class WholeIntervals : public offcpu::Consumer {
 public:
  void interval(const offcpu::Interval& interval) override {
    if (interval.is_whole()) intervals_.push_back(interval);
  }
  const std::vector<offcpu::Interval>& all() const { return intervals_; }

 private:
  std::vector<offcpu::Interval> intervals_;
};

}  // namespace

std::optional<output::PageWaits> read_waits(const std::string& path, symbolize::Symbolizer& symbolizer) {
  const auto recording = reader::Recording::open(path);
  const analysis::CodeVersions versions(*recording, symbolizer);
  offcpu::Dispatcher dispatcher;
  offcpu::Scheduler scheduler(dispatcher);
  offcpu::StackTable stacks;
  const offcpu::RecordingNames names(*recording, symbolizer, versions, scheduler, stacks, {});
  offcpu::RecordingFeed feed(*recording, {.tables = &symbolizer.unwind_tables(), .code_versions = &versions}, versions,
                             {}, scheduler, stacks, dispatcher);
  WholeIntervals intervals;
  dispatcher.add(intervals);
  recording->visit_in_order(feed);
  scheduler.finish();
  if (offcpu::why_nothing_can_be_said(
          {.sources = feed.sources(), .counts = scheduler.counts(), .whole_intervals = dispatcher.counts().whole})) {
    return {};
  }
  output::PageWaits waits;
  for (offcpu::ThreadNumber thread = 0; thread < scheduler.threads().size(); ++thread) {
    const offcpu::ThreadClock& clock = scheduler.threads()[thread];
    waits.threads.push_back({.pid = clock.pid, .tid = clock.tid, .comm = names.recorded_comm(thread)});
  }
  for (const offcpu::Interval& interval : intervals.all()) {
    waits.intervals.push_back({.thread = interval.thread,
                               .start = interval.start,
                               .length = interval.length(),
                               .run_queue = interval.run_queue});
  }
  return waits;
}

}  // namespace perfsift::tools
