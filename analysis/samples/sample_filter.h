// A filter applied to one recording.
//
// ```cpp
// RecordingFilter wanted(*recording, symbolizer, filter, FilterStacks{});
// wanted.prepare(threads);            // reads the recording once where the filter has windows
// const auto keep = wanted.worker();  // one per thread
// if (keep == nullptr || keep->keeps(sample)) ++kept;
// ```
#pragma once

#include <memory>

#include "analysis/samples/recording_facts.h"
#include "filter/filter.h"

namespace perfsift::analysis {

// Decides which samples are kept. Not thread-safe: one per thread, and only one in all if the filter needs_order().
class SampleFilter {
 public:
  SampleFilter(const reader::Recording& recording, symbolize::Symbolizer& symbolizer, const filter::Filter& filter,
               const FilterStacks& stacks, filter::RecordingTimes times, std::shared_ptr<const filter::Windows> windows)
      : recording_(recording),
        filter_(filter),
        facts_(recording, symbolizer, filter, stacks),
        state_(filter, times, std::move(windows)),
        checked_(!recording.streamed()) {}
  // Sets the sample of `shared`, so that its other users share the sample's thread and stack.
  SampleFilter(const reader::Recording& recording, symbolize::Symbolizer& symbolizer, const filter::Filter& filter,
               ResolvedSample& shared, filter::RecordingTimes times, std::shared_ptr<const filter::Windows> windows)
      : recording_(recording),
        filter_(filter),
        facts_(recording, symbolizer, filter, shared),
        state_(filter, times, std::move(windows)),
        checked_(!recording.streamed()) {}

  // Throws UsageError if the filter uses tracepoint fields that a stream does not have; they are not known before.
  bool keeps(const reader::Sample& sample) {
    if (!checked_) check();
    facts_.set_sample(sample);
    return filter_.keeps(facts_, state_);
  }

 private:
  void check();

  const reader::Recording& recording_;
  const filter::Filter& filter_;
  RecordingFacts facts_;
  filter::FilterState state_;
  bool checked_;  // the recording is known to have the filter's tracepoint fields
};

class RecordingFilter {
 public:
  // All arguments must live longer.
  RecordingFilter(reader::Recording& recording, symbolize::Symbolizer& symbolizer, const filter::Filter& filter,
                  FilterStacks stacks);

  // Must be called before the first worker(). Throws UsageError if the recording lacks facts that the filter uses, and
  // if the filter needs the end of a stream.
  void prepare(unsigned threads);

  // Returns nullptr when all samples are kept. Thread-safe.
  std::unique_ptr<SampleFilter> worker() const;
  // A worker for callers that also use the thread and the stack of the samples.
  std::unique_ptr<SampleFilter> worker(ResolvedSample& shared) const;
  // The time ranges of samples that may be kept; valid after prepare().
  filter::TimeRanges times() const;
  // Whether one worker must get all samples in the order of their times.
  bool needs_order() const { return filter_.needs_order(); }

 private:
  class Search;
  void find_windows(unsigned threads);

  reader::Recording& recording_;
  symbolize::Symbolizer& symbolizer_;
  const filter::Filter& filter_;
  const FilterStacks stacks_;
  filter::RecordingTimes times_;
  std::shared_ptr<const filter::Windows> windows_;
};

// Throws UsageError if the filter asks for what the recording, no stream, does not have. Reads no samples.
void check_filter(const filter::Filter& filter, const reader::Recording& recording);
// The times of the recording that `filter` needs. Throws UsageError if the filter uses shares of a stream's length.
filter::RecordingTimes times_for(const filter::Filter& filter, const reader::Recording& recording);
// The times of the first and the last sample: from the header if recorded there, as in perf; otherwise from the
// samples.
filter::RecordingTimes recording_times(const reader::Recording& recording);

// Passes on the samples that are kept, and all records.
class FilteredVisitor : public reader::OrderedVisitor {
 public:
  FilteredVisitor(const RecordingFilter& filter, reader::OrderedVisitor& next)
      : filter_(filter.worker()), next_(next) {}

  void sample(const reader::Sample& sample) override {
    if (filter_ != nullptr && !filter_->keeps(sample)) return;
    ++kept_;
    next_.sample(sample);
  }
  void record(const reader::Record& record, const reader::SampleId& id, reader::Moment moment) override {
    next_.record(record, id, moment);
  }

  std::uint64_t kept() const { return kept_; }

 private:
  const std::unique_ptr<SampleFilter> filter_;
  reader::OrderedVisitor& next_;
  std::uint64_t kept_ = 0;
};

}  // namespace perfsift::analysis
