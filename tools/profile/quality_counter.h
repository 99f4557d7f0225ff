// Counts the quality of the samples that pass by on their way to another visitor.
#pragma once

#include "reader/recording.h"
#include "tools/profile/call_stack.h"
#include "tools/profile/frame_counts.h"
#include "tools/profile/quality.h"

namespace perfsift::tools {

// Not thread-safe. Both that it is made of must live longer.
class QualityCounter : public reader::OrderedVisitor {
 public:
  QualityCounter(const reader::Recording& recording, const UnwindOptions& unwind, reader::OrderedVisitor& next);

  void sample(const reader::Sample& sample) override;
  void record(const reader::Record& record, const reader::SampleId& id, reader::Moment moment) override;

  // After the visit.
  Quality quality(symbolize::Symbolizer& symbolizer) const;

 private:
  void count_frames(const reader::Sample& sample);

  const reader::Recording& recording_;
  reader::OrderedVisitor& next_;
  CallStack call_stack_;
  FrameCounts frames_;
  Quality seen_;
};

}  // namespace perfsift::tools
