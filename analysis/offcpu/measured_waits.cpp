// Waits that were measured in the kernel, for the listeners of the scheduler.
//
// A sum of intervals becomes groups of equal intervals: see interval_parts.h. All intervals of a sum are within an
// eighth of each other, so percentiles have an error of at most an eighth.
#include <algorithm>
#include <limits>

#include "analysis/offcpu/interval_parts.h"
#include "analysis/offcpu/scheduler.h"

namespace perfsift::offcpu {

// A waker has no start. The thread that has one, if it comes later, is the same.
ThreadNumber Scheduler::measured_thread(const MeasuredWaits& waits) {
  const auto [place, is_new] = measured_.try_emplace({waits.tid, waits.thread_start}, no_thread);
  const auto waker = is_new && waits.thread_start != 0 ? measured_.find({waits.tid, 0}) : measured_.end();
  if (waker != measured_.end()) {
    place->second = waker->second;
    measured_.erase(waker);
  } else if (is_new) {
    add(place->second, waits.tid, now_);
  }
  ThreadClock& thread = threads_[place->second];
  thread.phase = Phase::dead;  // it has no open phase that would be closed at the end
  if (waits.pid >= 0) thread.pid = waits.pid;
  if (waits.name != 0 && waits.last >= thread.named) {
    thread.name = waits.name;
    thread.named = waits.last;
  }
  return place->second;
}

ThreadNumber Scheduler::measured_waker(const MeasuredWaits& waits) {
  const bool is_known = waits.waker_tid >= 0 && is_possible(waits.waker_cpu, waits.waker_tid);
  if (!is_known || (waits.waker_tid == 0 && waits.waker_cpu < 0)) return no_thread;
  if (waits.waker_tid == 0) return find_or_add(cpu_of(waits.waker_cpu).idle, 0, 0, 0, now_);
  const auto after = measured_.upper_bound({waits.waker_tid, std::numeric_limits<std::uint64_t>::max()});
  if (after != measured_.begin() && std::prev(after)->first.first == waits.waker_tid) return std::prev(after)->second;
  return measured_thread({.pid = waits.waker_pid, .tid = waits.waker_tid, .name = waits.waker_name});
}

void Scheduler::tell_measured(const MeasuredWaits& waits, ThreadNumber number, const IntervalPart& part) {
  Interval interval;
  interval.thread = number;
  interval.end = waits.last;
  interval.start = waits.last - std::min(waits.last, part.blocked + part.run_queue);
  interval.blocked = part.blocked;
  interval.run_queue = part.run_queue;
  interval.state = waits.state;
  interval.stack = waits.stack;
  interval.origin = waits.origin;
  interval.cgroup = waits.cgroup;
  interval.cpu_left = waits.cpu_left;
  interval.cpu_entered = waits.cpu_entered;
  if (waits.waker_tid >= 0)
    interval.waker = {.thread = measured_waker(waits), .cpu = waits.waker_cpu, .stack = waits.waker_stack};
  interval.woken = waits.woken;
  interval.began_before = waits.began_before;
  interval.goes_on = waits.goes_on;
  interval.summed = !waits.single;
  interval.count = part.count;
  listener_.interval(interval);
}

void Scheduler::measured(const MeasuredWaits& waits) {
  if (!is_possible(-1, waits.tid) || waits.tid == 0) return;
  at(waits.time);
  const ThreadNumber number = measured_thread(waits);
  ThreadClock& thread = threads_[number];
  thread.switches += static_cast<std::uint32_t>(waits.count);
  thread.times.run += waits.ran;
  thread.times.blocked += waits.blocked;
  thread.times.run_queue += waits.run_queue;
  thread.times.unknown += waits.unknown;
  thread.since = now_;
  thread.first = now_ - std::min(now_, thread.times.total());
  if (waits.count == 0) return;

  for_each_part({.count = waits.count,
                 .blocked = waits.blocked,
                 .run_queue = waits.run_queue,
                 .longest = waits.longest,
                 .longest_run_queue = waits.longest_run_queue},
                [&](const IntervalPart& part) { tell_measured(waits, number, part); });
}

}  // namespace perfsift::offcpu
