// Every interval as a line of comma-separated values (RFC 4180), times in nanoseconds.
#pragma once

#include "analysis/offcpu/names.h"
#include "analysis/offcpu/wait_kinds.h"
#include "output/text_writer.h"

namespace perfsift::output {

class IntervalCsv : public offcpu::SchedulerListener {
 public:
  // Writes the heading.
  IntervalCsv(offcpu::Names& names, offcpu::WaitKinds& waits, TextWriter& out);
  void interval(const offcpu::Interval& interval) override;

 private:
  void thread(offcpu::ThreadNumber thread);

  offcpu::Names& names_;
  offcpu::WaitKinds& waits_;
  TextWriter& out_;
};

}  // namespace perfsift::output
