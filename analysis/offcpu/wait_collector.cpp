#include "analysis/offcpu/wait_collector.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <utility>

#include "analysis/offcpu/cpu_slices.h"
#include "analysis/offcpu/evidence.h"
#include "analysis/offcpu/interval_names.h"
#include "analysis/offcpu/measured_samples.h"
#include "base/hash.h"
#include "base/histogram_bucket.h"
#include "base/text_numbers.h"

namespace perfsift::offcpu {

std::string_view known_cut(std::string_view text) {
  constexpr std::array<std::string_view, 4> cuts = {"lost", "start", "end", "both"};
  const auto* const known = std::ranges::find(cuts, text);
  return known != cuts.end() ? *known : std::string_view();
}

bool records_waits(const reader::Recording& recording) {
  const auto is_measured = [&](const auto& event) {
    const auto* const formats = recording.tracepoints();
    const auto* const format = formats == nullptr ? nullptr : formats->find(event->tracepoint_id());
    return format != nullptr && measured_layout(*format, formats->order()).has_value();
  };
  return has_switches(recording) || std::ranges::any_of(recording.events(), is_measured);
}

WaitCollector::WaitCollector(reader::Recording& recording, symbolize::Symbolizer& symbolizer,
                             const analysis::FrameStyle& style, TimeOf time_of)
    : recording_(recording),
      time_of_(std::move(time_of)),
      versions_(recording, symbolizer),
      scheduler_(*this),
      names_(recording, symbolizer, versions_, scheduler_, stacks_, style),
      facts_(recording, symbolizer, scheduler_, stacks_),
      feed_(recording, {.symbolizer = &symbolizer, .code_versions = &versions_}, versions_, {}, scheduler_, stacks_,
            *this) {}

void WaitCollector::collect() {
  recording_.visit_in_order(feed_);
  scheduler_.finish();
}

std::optional<std::string> WaitCollector::nothing_to_say() const {
  return why_nothing_can_be_said(
      {.sources = feed_.sources(), .counts = scheduler_.counts(), .whole_intervals = whole_intervals_});
}

std::size_t WaitCollector::KeyHash::operator()(const Key& key) const {
  std::uint64_t hash = mix(std::uint64_t{key.stack} << 32 | key.thread, odd_1 ^ key.cgroup);
  hash = mix(hash ^ (std::uint64_t{key.time} << 32 | key.state), odd_2);
  hash ^= std::uint64_t{key.blocked_bucket} << 32 | key.run_queue_bucket << 8 | (key.woken ? 1 : 0);
  return mix(hash, odd_3);
}

void WaitCollector::interval(const Interval& interval) {
  if (interval.is_whole()) whole_intervals_ += interval.count;
  Key key{.stack = interval.stack,
          .thread = interval.stack == no_stack ? interval.thread : no_thread,
          .cgroup = interval.cgroup,
          .time = time_of_(interval.end),
          .state = interval.state.bits(),
          .origin = interval.origin,
          .woken = interval.woken,
          .cut = cut_of(interval).data()};
  key.blocked_bucket = static_cast<std::uint32_t>(histogram_bucket(interval.blocked));
  key.run_queue_bucket = static_cast<std::uint32_t>(histogram_bucket(interval.run_queue));
  sums_[key].add(interval);
}

std::uint64_t WaitCollector::kinds_of(const Key& key) {
  Interval interval{.stack = key.stack, .origin = key.origin};
  interval.state = TaskState(key.state);
  return facts_.waits().of(interval);
}

std::vector<analysis::FrameId> WaitCollector::frames_of(StackId stack, analysis::FrameTable& frames) {
  std::vector<analysis::FrameId> all;
  if (stack == no_stack) return all;
  const NamedStack& named = names_.stack(stack);
  for (const auto* part : {&named.user, &named.kernel}) {
    std::transform(part->rbegin(), part->rend(), std::back_inserter(all),
                   [&](analysis::FrameId frame) { return frames.intern_from(names_.frames(), frame); });
  }
  return all;
}

SummedWaits WaitCollector::sums(analysis::FrameTable& frames) {
  SummedWaits found{.frames = &frames};
  std::map<StackId, std::uint32_t> places;
  TextNumbers threads, cgroups;
  for (const auto& [key, sums] : sums_) {
    const auto [place, is_new] = places.try_emplace(key.stack, static_cast<std::uint32_t>(found.stacks.size()));
    if (is_new) found.stacks.push_back(frames_of(key.stack, frames));
    const std::string thread =
        key.stack == no_stack ? names_.recorded_comm(key.thread) : names_.recorded_comm_of_stack(key.stack);
    found.sums.push_back({.time = key.time,
                          .stack = place->second,
                          .thread = threads.of(thread),
                          .cgroup = cgroups.of(key.cgroup == 0 ? std::string() : names_.cgroup(key.cgroup)),
                          .state = TaskState(key.state),
                          .kinds = kinds_of(key),
                          .cut = key.cut,
                          .woken = key.woken,
                          .blocked_bucket = key.blocked_bucket,
                          .run_queue_bucket = key.run_queue_bucket,
                          .sums = sums});
  }
  found.threads = threads.take();
  found.cgroups = cgroups.take();
  return found;
}

}  // namespace perfsift::offcpu
