// Lets dlfilters decide which samples a visitor sees.
//
// perf calls a dlfilter twice, before and after perf's own filters, so there is a visitor for each call. Other filters
// stand between the two visitors:
//
// ```cpp
// DlfilteredLate late(run, printer);
// DlfilteredEarly early(run, late);
// recording->visit_in_order(early);
// ```
#pragma once

#include "dlfilters/host/filter_chain.h"
#include "reader/recording.h"

namespace perfsift::tools {

class DlfilteredEarly : public reader::OrderedVisitor {
 public:
  DlfilteredEarly(dlfilter::FilterRun& run, reader::OrderedVisitor& next) : run_(run), next_(next) {}

  void sample(const reader::Sample& sample) override {
    if (run_.keeps_early(sample)) next_.sample(sample);
  }
  void record(const reader::Record& record, const reader::SampleId& id, reader::Moment moment) override {
    next_.record(record, id, moment);
  }

 private:
  dlfilter::FilterRun& run_;
  reader::OrderedVisitor& next_;
};

class DlfilteredLate : public reader::OrderedVisitor {
 public:
  DlfilteredLate(dlfilter::FilterRun& run, reader::OrderedVisitor& next) : run_(run), next_(next) {}

  // Samples of guests are not shown anyway.
  void sample(const reader::Sample& sample) override {
    if (reader::is_guest(sample.cpumode) || run_.keeps(sample)) next_.sample(sample);
  }
  void record(const reader::Record& record, const reader::SampleId& id, reader::Moment moment) override {
    next_.record(record, id, moment);
  }

 private:
  dlfilter::FilterRun& run_;
  reader::OrderedVisitor& next_;
};

}  // namespace perfsift::tools
