#include "tools/offcpu/spikes.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "tools/offcpu/duration_text.h"

namespace perfsift::offcpu {
namespace {

constexpr std::size_t most_shown = 5;  // threads that ran meanwhile, and stacks of samples

const char* what_is_missing(const Interval& interval) {
  if (interval.unknown != 0) return ", records were lost meanwhile";
  if (interval.began_before) return ", since before the recording began";
  if (interval.goes_on) return ", and still is at the end of the recording";
  return "";
}

}  // namespace

void SpikeList::interval(const Interval& interval) {
  if (interval.length() < threshold_) return;
  ++count_;
  out_.format("{} {} off its CPU for {}: blocked {}, run queue {}{}\n", timestamp_text(interval.start),
              names_.thread(interval.thread), duration_text(interval.length()), duration_text(interval.blocked),
              duration_text(interval.run_queue), what_is_missing(interval));
  out_.format("  {} ({}), cpu {} to {}\n", interval.state.name(), interval.state.letter(), interval.cpu_left,
              interval.cpu_entered);
  write_stack(interval.origin == StackOrigin::last_sample ? "last sampled on" : "left on", interval.stack);
  write_waker(interval);
  write_meanwhile(interval);
  write_samples(interval);
  out_.text("\n");
  if (at_once_) out_.flush();
}

void SpikeList::write_stack(std::string_view title, StackId stack) {
  const std::string frames = names_.leaf_first(stack, " < ");
  if (!frames.empty()) out_.format("  {}: {}\n", title, frames);
}

void SpikeList::write_waker(const Interval& interval) {
  if (interval.waker.thread == no_thread) return;
  out_.format("  woken {} after its start by {} on cpu {}\n", duration_text(interval.blocked),
              names_.thread(interval.waker.thread), interval.waker.cpu);
  write_stack("  there on", interval.waker.stack);
}

void SpikeList::write_meanwhile(const Interval& interval) {
  if (interval.successor != no_thread) out_.format("  its CPU went to {}\n", names_.thread(interval.successor));
  const auto ran = history_.ran(interval.cpu_left, interval.start, interval.end);
  if (ran.empty()) return;
  out_.format("  cpu {} meanwhile:", interval.cpu_left);
  for (std::size_t i = 0; i < std::min(ran.size(), most_shown); ++i) {
    out_.format("{} {} {}", i == 0 ? "" : ",", names_.thread(ran[i].thread), duration_text(ran[i].time));
  }
  if (ran.size() > most_shown) out_.format(" and {} more", ran.size() - most_shown);
  out_.text("\n");
}

void SpikeList::write_samples(const Interval& interval) {
  const std::int32_t tid = names_.scheduler().threads()[interval.thread].tid;
  std::map<std::pair<std::string, StackId>, std::size_t> stacks;
  for (const OtherSample& sample : history_.samples(interval.cpu_left, tid, interval.start, interval.end)) {
    ++stacks[{sample.event->name, sample.stack}];
  }
  std::vector<std::pair<std::size_t, const std::pair<std::string, StackId>*>> order;
  for (const auto& [what, count] : stacks) order.emplace_back(count, &what);
  std::ranges::stable_sort(order, std::greater{}, [](const auto& one) { return one.first; });
  for (std::size_t i = 0; i < std::min(order.size(), most_shown); ++i) {
    const auto& [event, stack] = *order[i].second;
    out_.format("  {} samples of {}: {}: {}\n", order[i].first, event, names_.comm_of_stack(stack),
                names_.leaf_first(stack, " < "));
  }
  if (order.size() > most_shown) out_.format("  and samples of {} more stacks\n", order.size() - most_shown);
}

}  // namespace perfsift::offcpu
