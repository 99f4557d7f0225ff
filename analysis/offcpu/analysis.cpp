#include "analysis/offcpu/analysis.h"

#include <algorithm>
#include <functional>
#include <map>

namespace perfsift::offcpu {
namespace {

template <typename T>
[[gnu::noinline]] void make_room_for(std::size_t i, std::vector<T>& sums) {
  sums.resize(std::max(i + 1, sums.size() * 2));
}

template <typename T>
T& at(std::vector<T>& sums, std::size_t i) {
  if (sums.size() <= i) make_room_for(i, sums);
  return sums[i];
}

}  // namespace

void Analysis::interval(const Interval& interval) {
  groups_.add(interval);
  if (interval.waker.thread != no_thread) at(by_waker_, interval.waker.thread).add(interval);
  const bool preempted = interval.state.is_runnable() && interval.successor != no_thread;
  if (preempted) at(by_preemptor_, interval.successor).add(interval);
  if (!interval.is_whole()) return cut_.add(interval);

  at(off_cpu_of_, interval.thread).add(interval.length(), interval.count);
  if (!interval.state.is_runnable()) blocked_.add(interval.blocked, interval.count);
  if (interval.run_queue_is_known()) run_queue_.add(interval.run_queue, interval.count);
  if (interval.woken) chains_.add(interval, scheduler_.threads());
}

void Analysis::sum(const OffCpuSum& sum) {
  Interval interval{.end = sum.time, .blocked = sum.time, .stack = sum.stack};
  interval.state = TaskState(TaskState::waiting);
  measured_.add(interval);
  groups_.add(interval);
  if (sum.single) off_cpu_.add(sum.time);
}

void Analysis::finish(WaitKinds& waits) {
  std::map<std::uint64_t, IntervalSums> by_wait;
  for (const IntervalGroup* const group : groups_.all()) {
    const std::uint64_t kinds = waits.of(group->first);
    IntervalSums sums = group->sums;
    sums.involuntary = sums.run_queue + ((kinds & filter::involuntary_waits) != 0 ? sums.blocked : 0);
    at(by_stack_, group->first.stack).add(sums);
    if (group->first.thread != no_thread) at(by_thread_, group->first.thread).add(sums), all_.add(sums);
    by_wait[filter::main_wait(kinds)].add(sums);
  }
  for (const Distribution& of_thread : off_cpu_of_) off_cpu_.add(of_thread);
  for (const auto& [kinds, sums] : by_wait) by_wait_.push_back({.kinds = kinds, .sums = sums});
  std::ranges::stable_sort(by_wait_, std::greater{}, [](const WaitSums& wait) { return wait.sums.total(); });
}

}  // namespace perfsift::offcpu
