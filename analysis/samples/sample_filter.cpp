#include "analysis/samples/sample_filter.h"

#include <algorithm>
#include <list>
#include <mutex>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/error.h"
#include "filter/window_search.h"

namespace perfsift::analysis {
namespace {

// The nodes of memory are known for physical addresses.
std::string_view why_without_nodes(const reader::Recording& recording) {
  const auto has_address = [](const auto& event) { return event->knows(reader::sample_bit::phys_addr); };
  if (std::ranges::none_of(recording.events(), has_address)) {
    return "no event of the recording has physical addresses (perf mem record --phys-data)";
  }
  return MemoryNodes(recording.features()).knows_memory()
             ? ""
             : "the recording does not have the nodes of memory (MEM_TOPOLOGY)";
}

}  // namespace

void check_filter(const filter::Filter& filter, const reader::Recording& recording) {
  filter.check(RecordingTracepoints(recording));
  if (!filter.uses(filter::Fact::data_node)) return;
  const std::string_view why = why_without_nodes(recording);
  if (!why.empty()) throw UsageError(fmt::format("{}: mem.node: {}", recording.path(), why));
}

void SampleFilter::check() {
  check_filter(filter_, recording_);
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
    check_filter(filter_, recording_);
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
    throw UsageError(recording.path() + ": the end of a stream is unknown, so there are no shares of it");
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
