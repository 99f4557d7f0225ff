#include "tools/offcpu/analysis.h"

#include <algorithm>

namespace perfsift::offcpu {
namespace {

[[gnu::noinline]] void make_room_for(std::size_t i, std::vector<IntervalSums>& sums) {
  sums.resize(std::max(i + 1, sums.size() * 2));
}

IntervalSums& at(std::vector<IntervalSums>& sums, std::size_t i) {
  if (sums.size() <= i) make_room_for(i, sums);
  return sums[i];
}

}  // namespace

void Analysis::interval(const Interval& interval) {
  all_.add(interval);
  at(by_stack_, interval.stack).add(interval);
  at(by_thread_, interval.thread).add(interval);
  if (interval.waker.thread != no_thread) at(by_waker_, interval.waker.thread).add(interval);
  const bool preempted = interval.state.is_runnable() && interval.successor != no_thread;
  if (preempted) at(by_preemptor_, interval.successor).add(interval);
  if (!interval.is_whole()) return cut_.add(interval);

  off_cpu_.add(interval.length());
  if (!interval.state.is_runnable()) blocked_.add(interval.blocked);
  if (interval.run_queue_is_known()) run_queue_.add(interval.run_queue);
  if (interval.woken) chains_.add(interval, scheduler_.threads());
}

void Analysis::sum(const OffCpuSum& sum) {
  Interval interval{.end = sum.time, .blocked = sum.time, .stack = sum.stack};
  interval.state = TaskState(TaskState::waiting);
  measured_.add(interval);
  at(by_stack_, sum.stack).add(interval);
  if (sum.single) off_cpu_.add(sum.time);
}

std::vector<std::uint32_t> top(const std::vector<IntervalSums>& sums, std::size_t count) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < sums.size(); ++i) {
    if (sums[i].count != 0) order.push_back(i);
  }
  const auto middle = order.begin() + static_cast<std::ptrdiff_t>(std::min(count, order.size()));
  std::ranges::partial_sort(order, middle, [&](std::uint32_t a, std::uint32_t b) {
    return sums[a].total() != sums[b].total() ? sums[a].total() > sums[b].total() : a < b;
  });
  order.erase(middle, order.end());
  return order;
}

}  // namespace perfsift::offcpu
