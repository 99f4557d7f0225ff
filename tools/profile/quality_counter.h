// Counts the quality of the samples that pass by on their way to another visitor.
#pragma once

#include "reader/recording.h"
#include "tools/profile/call_stack.h"
#include "tools/profile/frame_counts.h"
#include "tools/profile/quality.h"
#include "tools/profile/stack_ends.h"

namespace perfsift::tools {

// Not thread-safe. All that it is made of must live longer.
class QualityCounter : public reader::OrderedVisitor {
 public:
  QualityCounter(const reader::Recording& recording, symbolize::Symbolizer& symbolizer, const UnwindOptions& unwind,
                 reader::OrderedVisitor& next);

  void sample(const reader::Sample& sample) override;
  void record(const reader::Record& record, const reader::SampleId& id, reader::Moment moment) override;

  // After the visit.
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

}  // namespace perfsift::tools
