// Counts the quality of samples and passes them on to another visitor.
#pragma once

#include "analysis/profile/frame_counts.h"
#include "analysis/profile/quality.h"
#include "analysis/profile/stack_ends.h"
#include "analysis/samples/call_stack.h"
#include "reader/recording.h"

namespace perfsift::analysis {

// Not thread-safe. All constructor arguments must live longer.
class QualityCounter : public reader::OrderedVisitor {
 public:
  QualityCounter(const reader::Recording& recording, symbolize::Symbolizer& symbolizer, const UnwindOptions& unwind,
                 reader::OrderedVisitor& next);

  void sample(const reader::Sample& sample) override;
  void record(const reader::Record& record, const reader::SampleId& id, reader::Moment moment) override;

  // Complete after the visit.
  Quality quality() const;

 private:
  void count_frames(const reader::Sample& sample);

  const reader::Recording& recording_;
  reader::OrderedVisitor& next_;
  CallStack call_stack_;
  symbolize::Symbolizer& symbolizer_;
  FrameCounts frames_;
  StackEnds ends_;
  StackEndFinder end_finder_;
  EndCounts end_counts_;
  Quality seen_;
};

}  // namespace perfsift::analysis
