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

// Decides about samples. Not thread-safe: one per thread, and only one where the filter needs_order().
class SampleFilter {
 public:
  SampleFilter(const reader::Recording& recording, symbolize::Symbolizer& symbolizer, const filter::Filter& filter,
               const FilterStacks& stacks, filter::RecordingTimes times, std::shared_ptr<const filter::Windows> windows)
      : recording_(recording),
        filter_(filter),
        facts_(recording, symbolizer, filter, stacks),
        state_(filter, times, std::move(windows)),
        checked_(!recording.streamed()) {}
  // Shares what it finds of a sample with others, and sets it for them.
  SampleFilter(const reader::Recording& recording, symbolize::Symbolizer& symbolizer, const filter::Filter& filter,
               ResolvedSample& shared, filter::RecordingTimes times, std::shared_ptr<const filter::Windows> windows)
      : recording_(recording),
        filter_(filter),
        facts_(recording, symbolizer, filter, shared),
        state_(filter, times, std::move(windows)),
        checked_(!recording.streamed()) {}

  // Throws UsageError about a stream, of which is only known now what its tracepoints have.
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
  bool checked_;  // what it asks for is there
};

class RecordingFilter {
 public:
  // All must live longer.
  RecordingFilter(reader::Recording& recording, symbolize::Symbolizer& symbolizer, const filter::Filter& filter,
                  FilterStacks stacks);

  // Before the first worker. Throws UsageError where the filter asks for what the recording cannot have, and where it
  // asks of a stream what can only be said when the end is known.
  void prepare(unsigned threads);

  // Nothing where all samples are kept. Thread-safe.
  std::unique_ptr<SampleFilter> worker() const;
  // The same, for who wants to know of the samples that are kept what the filter has found out.
  std::unique_ptr<SampleFilter> worker(ResolvedSample& shared) const;
  // The times of samples that may be kept; after prepare().
  filter::TimeRanges times() const;
  // Whether samples must come in the order of their times, to one worker.
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

// What `filter` has to know of the recording's length. Throws UsageError where it asks for shares of a stream.
filter::RecordingTimes times_for(const filter::Filter& filter, const reader::Recording& recording);
// When the first and the last sample were taken, by the header if it says, as perf has it, else by the samples.
filter::RecordingTimes recording_times(const reader::Recording& recording);

// Lets the samples through that are kept, and all records.
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
