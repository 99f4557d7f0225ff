#include "analysis/samples/sample_filter.h"

#include <list>
#include <mutex>
#include <vector>

#include "base/error.h"
#include "filter/window_search.h"

namespace perfsift::analysis {

void SampleFilter::check() {
  filter_.check(RecordingTracepoints(recording_));
  checked_ = true;
}

// One thread's search for the filter's windows.
class RecordingFilter::Search : public reader::SampleVisitor {
 public:
  Search(const RecordingFilter& owner, filter::WindowSearch& search)
      : facts_(owner.recording_, owner.symbolizer_, owner.filter_, owner.stacks_), search_(search) {}

  void sample(const reader::Sample& sample) override {
    facts_.set_sample(sample);
    search_.see(facts_, sample.moment.position);
  }

 private:
  RecordingFacts facts_;
  filter::WindowSearch& search_;
};

RecordingFilter::RecordingFilter(reader::Recording& recording, symbolize::Symbolizer& symbolizer,
                                 const filter::Filter& filter, FilterStacks stacks)
    : recording_(recording), symbolizer_(symbolizer), filter_(filter), stacks_(stacks) {}

void RecordingFilter::prepare(unsigned threads) {
  if (recording_.streamed()) {
    if (filter_.uses_windows()) {
      throw UsageError(recording_.path() + ": a stream is read only once, but within and between need two readings");
    }
  } else {
    filter_.check(RecordingTracepoints(recording_));
    if (filter_.uses(filter::Fact::data_node) && !MemoryNodes(recording_.features()).knows_memory())
      throw UsageError(recording_.path() +
                       ": mem.node: the recording does not tell the nodes of memory (MEM_TOPOLOGY)");
  }
  times_ = times_for(filter_, recording_);
  if (filter_.uses_windows()) find_windows(threads);
}

void RecordingFilter::find_windows(unsigned threads) {
  std::mutex mutex;
  std::list<filter::WindowSearch> searches;
  recording_.visit_parallel(threads, [&](unsigned) {
    const std::lock_guard lock(mutex);
    return std::make_unique<Search>(*this, searches.emplace_back(filter_, times_));
  });
  std::vector<const filter::WindowSearch*> all;
  for (const filter::WindowSearch& search : searches) all.push_back(&search);
  windows_ = std::make_shared<const filter::Windows>(filter::WindowSearch::join(filter_, all));
}

filter::TimeRanges RecordingFilter::times() const {
  return filter_.times(filter::FilterState(filter_, times_, windows_));
}

std::unique_ptr<SampleFilter> RecordingFilter::worker() const {
  if (filter_.keeps_all()) return nullptr;
  return std::make_unique<SampleFilter>(recording_, symbolizer_, filter_, stacks_, times_, windows_);
}

std::unique_ptr<SampleFilter> RecordingFilter::worker(ResolvedSample& shared) const {
  if (filter_.keeps_all()) return nullptr;
  return std::make_unique<SampleFilter>(recording_, symbolizer_, filter_, shared, times_, windows_);
}

filter::RecordingTimes times_for(const filter::Filter& filter, const reader::Recording& recording) {
  if (!filter.uses_shares()) return {};
  if (recording.streamed()) {
    throw UsageError(recording.path() + ": a stream does not tell its end, so there are no shares of it");
  }
  return recording_times(recording);
}

filter::RecordingTimes recording_times(const reader::Recording& recording) {
  if (const auto& told = recording.features().sample_time; told && told->second >= told->first && told->second != 0) {
    return {.first = told->first, .last = told->second};
  }
  const reader::ReadStats& stats = recording.stats();
  if (stats.first_sample_time > stats.last_sample_time) return {};
  return {.first = stats.first_sample_time, .last = stats.last_sample_time};
}

}  // namespace perfsift::analysis
