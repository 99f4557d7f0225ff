// Counts the quality of samples and passes them on to another visitor.
#pragma once

#include "analysis/collect/stack_quality.h"
#include "analysis/profile/quality.h"
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

  // Must be called once, after the visit.
  Quality quality();

 private:
  void count_stack(const reader::Sample& sample);

  const reader::Recording& recording_;
  reader::OrderedVisitor& next_;
  CallStack call_stack_;
  StackQuality stacks_;
  Quality seen_;
};

}  // namespace perfsift::analysis
