// The lines of `perf sched timehist --no-call-graph`, one for each time that a thread left its CPU.
#pragma once

#include "tools/offcpu/names.h"
#include "tools/text_writer.h"

namespace perfsift::offcpu {

class TimehistPrinter : public SchedulerListener {
 public:
  TimehistPrinter(const Names& names, tools::TextWriter& out);
  void left(ThreadNumber thread, std::int32_t cpu, std::uint64_t time, const TimehistFigures& figures) override;

 private:
  std::string shown(ThreadNumber thread) const;

  const Names& names_;
  tools::TextWriter& out_;
  std::size_t width_ = 30;  // of names: grows with the longest so far, as comm_width does in perf
};

}  // namespace perfsift::offcpu
