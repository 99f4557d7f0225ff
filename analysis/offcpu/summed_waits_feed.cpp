#include "analysis/offcpu/summed_waits_feed.h"

#include <algorithm>
#include <array>
#include <vector>

#include "analysis/offcpu/interval_parts.h"
#include "base/error.h"
#include "filter/wait_kind.h"

namespace perfsift::offcpu {
namespace {

// Numbers of names, cgroups and stacks begin with 1: 0 is none.
constexpr std::uint32_t first = 1;

// The words of a stack are the number of its frames.
StackId stack_of(const SummedWait& sum, const SummedWaits& waits, StackTable& stacks) {
  const std::array words{Unaligned<std::uint64_t>(sum.stack)};
  if (waits.stacks[sum.stack].empty() && waits.threads[sum.thread].empty()) return no_stack;
  return stacks.intern({.comm = sum.thread + first}, words, false);
}

Interval interval_of(const SummedWait& sum, const SummedWaits& waits, const std::vector<ThreadNumber>& threads,
                     StackId stack) {
  Interval interval;
  interval.thread = threads[sum.thread];
  interval.state = sum.state;
  interval.stack = stack;
  // A stack that says nothing about the wait is of an earlier sample.
  interval.origin = sum.kinds != 0 ? StackOrigin::at_switch : StackOrigin::last_sample;
  interval.cgroup = waits.cgroups[sum.cgroup].empty() ? 0 : sum.cgroup + first;
  interval.woken = sum.woken;
  interval.began_before = sum.cut == "start" || sum.cut == "both";
  interval.goes_on = sum.cut == "end" || sum.cut == "both";
  interval.summed = true;
  return interval;
}

std::uint64_t mean(std::uint64_t sum, std::uint64_t count) { return sum / std::max<std::uint64_t>(count, 1); }

// At least the mean, as all run-queue times of a sum are in one bucket.
std::uint64_t run_queue_of_longest(const IntervalSums& sums) {
  const std::uint64_t others = sums.blocked + sums.unknown;
  return std::max(mean(sums.run_queue, sums.count), sums.longest - std::min(sums.longest, others));
}

std::vector<ThreadNumber> add_threads(const SummedWaits& waits, std::uint64_t duration, Scheduler& scheduler) {
  scheduler.advance(0);
  for (std::uint32_t i = 0; i < waits.threads.size(); ++i) {
    const auto tid = static_cast<std::int32_t>(i + first);
    scheduler.measured({.time = duration, .tid = tid, .name = i + first});
  }
  scheduler.advance(duration);
  if (scheduler.counts().impossible != 0)
    throw InputError("its threads have too many names: choose fewer recordings by labels, or thread names");
  std::vector<ThreadNumber> numbers(waits.threads.size());
  for (ThreadNumber number = 0; number < scheduler.threads().size(); ++number)
    numbers[scheduler.threads()[number].name - first] = number;
  return numbers;
}

}  // namespace

std::string SummedWaitsNames::comm_of(std::int32_t, std::uint32_t name) const {
  if (name == 0 || waits_.threads[name - first].empty()) return "[unknown]";
  return waits_.threads[name - first];
}

// The kernel's frames are those that are called last.
void SummedWaitsNames::name(StackId id, NamedStack& named) {
  const auto& all = waits_.stacks[static_cast<std::uint64_t>(stacks().words(id)[0])];
  const auto is_kernel = [&](analysis::FrameId frame) {
    return waits_.frames->origin(frame).kind == analysis::FrameKind::kernel;
  };
  const auto kernel = std::ranges::find_if(all, is_kernel);
  for (auto frame = all.end(); frame != all.begin();) {
    --frame;
    (frame >= kernel ? named.kernel : named.user).push_back(frames().intern(waits_.frames->text(*frame)));
  }
}

void feed(const SummedWaits& waits, std::uint64_t duration, Scheduler& scheduler, StackTable& stacks, WaitKinds& kinds,
          SchedulerListener& listener) {
  const std::vector<ThreadNumber> threads = add_threads(waits, duration, scheduler);
  for (const SummedWait& sum : waits.sums) {
    const StackId stack = stack_of(sum, waits, stacks);
    if (stack != no_stack && sum.kinds != 0) kinds.learn(stack, sum.kinds);
    Interval interval = interval_of(sum, waits, threads, stack);
    for_each_part({.count = sum.sums.count,
                   .blocked = sum.sums.blocked,
                   .run_queue = sum.sums.run_queue,
                   .unknown = sum.sums.unknown,
                   .longest = sum.sums.longest,
                   .longest_run_queue = run_queue_of_longest(sum.sums),
                   .longest_unknown = mean(sum.sums.unknown, sum.sums.count)},
                  [&](const IntervalPart& part) {
                    interval.count = part.count;
                    interval.blocked = part.blocked;
                    interval.run_queue = part.run_queue;
                    interval.unknown = part.unknown;
                    interval.end = part.blocked + part.run_queue + part.unknown;
                    listener.interval(interval);
                  });
  }
}

}  // namespace perfsift::offcpu
