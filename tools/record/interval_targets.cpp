#include "tools/record/interval_targets.h"

#include <unistd.h>

#include "record/synthesis/process_records.h"

namespace perfsift::tools {

IntervalTargets::IntervalTargets(const record::SessionPlan& plan, const record::Session& session)
    : all_(plan.target.on_cpus()),
      inherited_(plan.target.inherit && plan.target.threads.empty()),
      of_threads_(!plan.target.threads.empty()),
      own_(static_cast<std::int32_t>(getpid())) {
  for (const record::CounterInfo& counter : session.counters()) {
    if (counter.place.tid <= 0) continue;
    const auto pid = record::process_of({}, counter.place.tid);
    if (of_threads_ || pid) numbers_.insert(of_threads_ ? counter.place.tid : *pid);
  }
}

void IntervalTargets::note(const reader::Task& fork) {
  if (!all_ && inherited_ && fork.pid != fork.parent_pid && numbers_.contains(fork.parent_pid))
    numbers_.insert(fork.pid);
}

// The recorder itself waits all the time.
bool IntervalTargets::keeps(const offcpu::Interval& interval) {
  const offcpu::ThreadClock& thread = scheduler_->threads()[interval.thread];
  if (thread.pid == own_ || thread.tid == own_) return false;
  return all_ || numbers_.contains(of_threads_ ? thread.tid : thread.pid);
}

}  // namespace perfsift::tools
