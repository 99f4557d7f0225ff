// The lines of `perf sched timehist --no-call-graph`, one for each time that a thread left its CPU.
#pragma once

#include "analysis/offcpu/names.h"
#include "output/text_writer.h"

namespace perfsift::output {

class TimehistPrinter : public offcpu::SchedulerListener {
 public:
  TimehistPrinter(const offcpu::Names& names, TextWriter& out);
  void left(offcpu::ThreadNumber thread, std::int32_t cpu, std::uint64_t time,
            const offcpu::TimehistFigures& figures) override;

 private:
  std::string shown(offcpu::ThreadNumber thread) const;

  const offcpu::Names& names_;
  TextWriter& out_;
  std::size_t width_ = 30;  // of names: grows to the longest name so far, as comm_width does in perf
};

}  // namespace perfsift::output
