// Every interval as a line of comma-separated values (RFC 4180), times in nanoseconds.
#pragma once

#include "tools/offcpu/names.h"
#include "tools/offcpu/wait_kinds.h"
#include "tools/text_writer.h"

namespace perfsift::offcpu {

class IntervalCsv : public SchedulerListener {
 public:
  // Writes the heading.
  IntervalCsv(Names& names, WaitKinds& waits, tools::TextWriter& out);
  void interval(const Interval& interval) override;

 private:
  void thread(ThreadNumber thread);

  Names& names_;
  WaitKinds& waits_;
  tools::TextWriter& out_;
};

}  // namespace perfsift::offcpu
