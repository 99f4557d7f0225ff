#include "analysis/offcpu/folded_intervals.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <vector>

#include "base/hash.h"

namespace perfsift::offcpu {

std::size_t FoldedIntervals::KeyHash::operator()(const Key& key) const {
  std::uint64_t hash = spread(std::uint64_t{key.stack} << 32 | key.waker_stack);
  hash = spread(hash ^ hash >> 29 ^ (std::uint64_t{key.waker} << 32 | key.thread));
  hash = hash ^ (spread(key.cgroup) >> 7) ^ key.wait << 16;
  hash ^= static_cast<std::uint64_t>(key.state) << 8 | static_cast<std::uint64_t>(key.part);
  return static_cast<std::size_t>(spread(hash) >> 16);
}

void FoldedIntervals::add(Key key, Part part, std::uint64_t time, std::uint64_t count) {
  key.part = part;
  Sum& sum = sums_[key];
  sum.time += time;
  sum.count += count;
}

void FoldedIntervals::add(std::span<const IntervalGroup* const> groups) {
  for (const IntervalGroup* const group : groups) {
    Key key{.stack = group->first.stack};
    if (key.stack == no_stack) key.thread = group->first.thread;
    if (options_.wait) key.wait = filter::main_wait(waits_.of(group->first));
    add(key, Part::off, group->sums.total(), group->sums.count);
  }
}

void FoldedIntervals::interval(const Interval& interval) {
  Key key{.stack = interval.stack};
  if (interval.stack == no_stack || options_.parts) key.thread = interval.thread;
  if (options_.waker) {
    key.waker = interval.waker.thread;
    key.waker_stack = interval.waker.stack;
  }
  if (options_.state) key.state = interval.state.letter();
  if (options_.wait) key.wait = filter::main_wait(waits_.of(interval));
  if (options_.cgroup) key.cgroup = interval.cgroup;
  const std::uint64_t n = interval.count;
  if (!options_.parts) return add(key, Part::off, interval.length() * n, n);
  if (interval.blocked != 0) add(key, Part::off, interval.blocked * n, n);
  if (interval.run_queue != 0) add(key, Part::run_queue, interval.run_queue * n, n);
}

void FoldedIntervals::sum(const OffCpuSum& sum) {
  Key key{.stack = sum.stack};
  if (options_.wait) key.wait = filter::main_wait(waits_.of_stack(sum.stack));
  add(key, Part::off, sum.time, 1);
}

bool FoldedIntervals::is_told(const Key& key, const std::vector<bool>& kept) const {
  return !options_.parts || key.thread == no_thread || kept[key.thread];
}

std::uint64_t FoldedIntervals::total(const std::vector<bool>& kept) const {
  std::uint64_t time = 0;
  for (const auto& [key, sum] : sums_) time += is_told(key, kept) ? sum.time : 0;
  return time;
}

std::uint64_t FoldedIntervals::value_of(const Sum& sum) const {
  switch (options_.unit) {
    case FoldedUnit::microseconds:
      return (sum.time + 500) / 1000;
    case FoldedUnit::nanoseconds:
      return sum.time;
    case FoldedUnit::count:
      return sum.count;
  }
  return 0;
}

void append_stack(std::vector<analysis::FrameId>& frames, Names& names, analysis::FrameTable& table, StackId stack,
                  const std::string& comm, const std::optional<std::string>& delimiter) {
  const auto copy = [&](analysis::FrameId frame) { return table.intern(names.frames().text(frame)); };
  if (!comm.empty()) frames.push_back(table.intern(analysis::foldable(comm)));
  const NamedStack& named = names.stack(stack);
  if (named.user.empty() && named.kernel.empty()) frames.push_back(table.intern(no_stack_frame));
  std::transform(named.user.rbegin(), named.user.rend(), std::back_inserter(frames), copy);
  if (delimiter && !named.user.empty() && !named.kernel.empty()) {
    frames.push_back(table.intern(analysis::foldable(*delimiter)));
  }
  std::transform(named.kernel.rbegin(), named.kernel.rend(), std::back_inserter(frames), copy);
}

// Several stacks, of different processes, may have the same frames: these stacks are summed before rounding.
void FoldedIntervals::fill(analysis::Profile& profile, Names& names, const std::vector<bool>& kept) const {
  analysis::FrameTable& table = profile.frames();
  std::map<std::vector<analysis::FrameId>, Sum> stacks;
  for (const auto& [key, sum] : sums_) {
    if (!is_told(key, kept)) continue;
    Sum& stack = stacks[frames_of(key, names, table)];
    stack.time += sum.time;
    stack.count += sum.count;
  }
  analysis::StackList& list = profile.new_list();
  const analysis::EventId event = profile.event("off-cpu");
  for (const auto& [frames, sum] : stacks) list.add(event, frames, {.samples = sum.count, .value = value_of(sum)});
  if (options_.parts) fill_unknown(list, profile, names, kept);
}

namespace {

std::string cgroup_text(std::uint64_t id, const Names& names) {
  if (id == 0) return "no cgroup";
  const std::string path = names.cgroup(id);
  return path.empty() ? "unknown cgroup" : path;
}

}  // namespace

std::vector<analysis::FrameId> FoldedIntervals::frames_of(const Key& key, Names& names,
                                                          analysis::FrameTable& table) const {
  std::vector<analysis::FrameId> frames;
  const std::string comm = key.stack == no_stack ? names.comm(key.thread) : names.comm_of_stack(key.stack);
  append_stack(frames, names, table, key.stack, comm, options_.delimiter);
  const auto mark = [&](std::string_view text) {
    frames.push_back(table.intern(analysis::foldable('[' + std::string(text) + ']')));
  };
  if (options_.cgroup) mark(cgroup_text(key.cgroup, names));
  if (options_.wait) mark(key.wait != 0 ? filter::wait_name(key.wait) : "not known");
  if (key.state != 0) frames.push_back(table.intern(std::string{'[', key.state, ']'}));
  if (key.part == Part::run_queue) frames.push_back(table.intern(run_queue_frame));
  if (key.waker == no_thread) return frames;

  frames.push_back(table.intern("--"));
  const NamedStack& waker = names.stack(key.waker_stack);
  for (const analysis::FrameId frame : waker.kernel) frames.push_back(table.intern(names.frames().text(frame)));
  for (const analysis::FrameId frame : waker.user) frames.push_back(table.intern(names.frames().text(frame)));
  frames.push_back(table.intern(analysis::foldable(names.comm(key.waker))));
  return frames;
}

// Most unknown time has no interval: it is only known that a thread must have come back, or left, at some time.
void FoldedIntervals::fill_unknown(analysis::StackList& list, analysis::Profile& profile, Names& names,
                                   const std::vector<bool>& kept) const {
  const auto threads = names.scheduler().threads();
  for (ThreadNumber number = 0; number < threads.size(); ++number) {
    if (threads[number].tid == 0 || threads[number].times.unknown == 0 || !kept[number]) continue;
    const analysis::FrameId frames[] = {profile.frames().intern(analysis::foldable(names.comm(number))),
                                        profile.frames().intern(unknown_frame)};
    const std::uint64_t value = value_of({.time = threads[number].times.unknown, .count = 1});
    list.add(profile.event("off-cpu"), frames, {.samples = 1, .value = value});
  }
}

}  // namespace perfsift::offcpu
