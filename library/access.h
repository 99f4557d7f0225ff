// Makes and opens the objects of the interface, whose contents users do not see.
#pragma once

#include <memory>
#include <utility>

#include <perfsift/filter.h>
#include <perfsift/payloads.h>
#include <perfsift/record.h>
#include <perfsift/recording.h>
#include <perfsift/sample.h>
#include <perfsift/sampling.h>
#include <perfsift/symbolizer.h>
#include <perfsift/timeline.h>

namespace perfsift::reader {
struct Sample;
}

namespace perfsift::v0::detail {

struct Access {
  static const std::shared_ptr<SymbolizerState>& of(const Symbolizer& symbolizer) { return symbolizer.state_; }
  static const FilterState* of(const Filter& filter) { return filter.state_.get(); }
  static const std::shared_ptr<RecordingState>& of(const Recording& recording) { return recording.state_; }
  static Filter filter(std::shared_ptr<const FilterState> state) { return Filter(std::move(state)); }
  static Timeline timeline(std::shared_ptr<const RecordingState> recording) { return Timeline(std::move(recording)); }
  static LiveSamples live_samples(std::shared_ptr<const LiveSamplesState> state) {
    return LiveSamples(std::move(state));
  }
  static Payloads payloads(std::shared_ptr<const PayloadsState> state) { return Payloads(std::move(state)); }
  static Payload payload(const reader::Sample& sample, const PayloadTypeState* type);
  static Sample sample(SampleView& view) { return Sample(view); }
  static Record record(const RecordView& view) { return Record(view); }
};

}  // namespace perfsift::v0::detail
