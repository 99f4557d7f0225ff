#include "output/offcpu/interval_csv.h"

#include <string>
#include <string_view>

#include "analysis/offcpu/interval_names.h"
#include "base/printable.h"
#include "output/csv.h"

namespace perfsift::output {

IntervalCsv::IntervalCsv(offcpu::Names& names, offcpu::WaitKinds& waits, TextWriter& out)
    : names_(names), waits_(waits), out_(out) {
  out_.text(
      "start_ns,end_ns,off_cpu_ns,blocked_ns,run_queue_ns,unknown_ns,state,tid,comm,pid,cpu_left,cpu_entered,"
      "waker_tid,waker_comm,waker_cpu,next_tid,next_comm,cut,stack_of,stack,waker_stack,wait,cgroup\n");
}

void IntervalCsv::thread(offcpu::ThreadNumber thread) {
  if (thread == offcpu::no_thread) return out_.text(",");
  out_.signed_decimal(names_.scheduler().threads()[thread].tid);
  out_.character(',');
  out_.text(csv_name(names_.comm(thread)));
}

void IntervalCsv::interval(const offcpu::Interval& interval) {
  if (interval.summed) return;
  const offcpu::ThreadClock& clock = names_.scheduler().threads()[interval.thread];
  for (const std::uint64_t number :
       {interval.start, interval.end, interval.length(), interval.blocked, interval.run_queue, interval.unknown}) {
    out_.decimal(number);
    out_.character(',');
  }
  out_.text(interval.state.name());
  out_.character(',');
  thread(interval.thread);
  out_.format(",{},{},{},", clock.pid, interval.cpu_left, interval.cpu_entered);
  thread(interval.waker.thread);
  out_.format(",{},", interval.waker.cpu);
  thread(interval.successor);
  out_.format(",{},{},", offcpu::cut_of(interval), offcpu::name_of(interval.origin));
  out_.text(csv_name(names_.leaf_first(interval.stack)));
  out_.character(',');
  out_.text(csv_name(names_.leaf_first(interval.waker.stack)));
  out_.format(",{},{}\n", filter::wait_name(waits_.of(interval)), csv_name(printable(names_.cgroup(interval.cgroup))));
}

}  // namespace perfsift::output
