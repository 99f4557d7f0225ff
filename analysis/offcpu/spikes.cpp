#include "analysis/offcpu/spikes.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace perfsift::offcpu {

void SpikeFinder::interval(const Interval& interval) {
  if (interval.length() < threshold_ || interval.summed) return;
  ++count_;
  if (++in_second_ > most_) return;
  take_({.interval = interval,
         .meanwhile = history_.ran(interval.cpu_left, interval.start, interval.end),
         .samples = samples_in(interval),
         .recording = {}});
}

std::uint64_t SpikeFinder::begin_second() {
  const std::uint64_t found = std::exchange(in_second_, 0);
  return found - std::min(found, most_);
}

std::vector<StackSamples> SpikeFinder::samples_in(const Interval& interval) const {
  const std::int32_t tid = scheduler_.threads()[interval.thread].tid;
  std::map<std::pair<std::string_view, StackId>, StackSamples> stacks;
  for (const OtherSample& sample : history_.samples(interval.cpu_left, tid, interval.start, interval.end)) {
    StackSamples& known = stacks[{sample.event->name, sample.stack}];
    known.event = sample.event;
    known.stack = sample.stack;
    ++known.count;
  }
  std::vector<StackSamples> order;
  for (const auto& [what, samples] : stacks) order.push_back(samples);
  std::ranges::stable_sort(order, std::greater{}, &StackSamples::count);
  return order;
}

}  // namespace perfsift::offcpu
