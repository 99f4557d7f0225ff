#include "analysis/offcpu/wall_clock.h"

#include <algorithm>

#include "analysis/offcpu/folded_intervals.h"

namespace perfsift::offcpu {

RunningStacks::Account& RunningStacks::account(ThreadNumber thread) {
  if (accounts_.size() <= thread) accounts_.resize(thread + std::size_t{1});
  return accounts_[thread];
}

void RunningStacks::sample(const OtherSample& sample) {
  const ThreadNumber thread = scheduler_.thread_of(sample.tid);
  if (thread == no_thread) return;
  const ThreadClock& clock = scheduler_.threads()[thread];
  if (clock.phase != ThreadClock::Phase::running) return;
  Account& account = this->account(thread);
  if (account.slice_start != clock.since) {
    account.pieces.clear();
    account.slice_start = account.shared_until = clock.since;
  }
  const std::uint64_t now = scheduler_.now();
  account.pieces.push_back({.stack = sample.stack, .time = now - account.shared_until});
  account.shared_until = now;
}

void RunningStacks::slice(const Slice& slice) {
  if (scheduler_.threads()[slice.thread].tid == 0) return;
  Account& account = this->account(slice.thread);
  const bool sampled = !account.pieces.empty() && account.slice_start == slice.start;
  if (!sampled) {
    account.not_shared += slice.end - slice.start;
  } else {
    account.pieces.front().time += account.not_shared;
    for (const Piece& piece : account.pieces) {
      by_stack_[std::uint64_t{slice.thread} << 32 | piece.stack] += piece.time;
    }
    account.not_shared = slice.end - account.shared_until;
  }
  account.pieces.clear();
}

std::uint64_t RunningStacks::sampled(const std::vector<bool>& kept) const {
  std::uint64_t sum = 0;
  for (const auto& [key, time] : by_stack_) sum += kept[key >> 32] ? time : 0;
  return sum;
}

std::uint64_t RunningStacks::not_sampled(const std::vector<bool>& kept) const {
  std::uint64_t time = 0;
  for (ThreadNumber thread = 0; thread < accounts_.size(); ++thread) {
    if (kept[thread]) time += accounts_[thread].not_shared;
  }
  return time;
}

void RunningStacks::fill(analysis::Profile& profile, Names& names, std::uint64_t unit,
                         const std::vector<bool>& kept) const {
  analysis::StackList& list = profile.new_list();
  analysis::FrameTable& table = profile.frames();
  const analysis::EventId event = profile.event("off-cpu");
  std::unordered_map<StackId, std::uint64_t> by_stack;
  for (const auto& [key, time] : by_stack_) {
    if (kept[key >> 32]) by_stack[static_cast<StackId>(key)] += time;
  }
  std::vector<analysis::FrameId> frames;
  for (const auto& [stack, time] : by_stack) {
    frames.clear();
    append_stack(frames, names, table, stack, names.comm_of_stack(stack), std::nullopt);
    frames.push_back(table.intern(on_cpu_frame));
    list.add(event, frames, {.samples = 1, .value = (time + unit / 2) / unit});
  }
  for (ThreadNumber thread = 0; thread < accounts_.size(); ++thread) {
    const std::uint64_t time = accounts_[thread].not_shared;
    if (time == 0 || !kept[thread]) continue;
    const analysis::FrameId own[] = {table.intern(analysis::foldable(names.comm(thread))),
                                     table.intern(not_sampled_frame)};
    list.add(event, own, {.samples = 1, .value = (time + unit / 2) / unit});
  }
}

WallClockCheck check_wall_clock(const Scheduler& scheduler, const std::vector<bool>& kept,
                                const std::vector<IntervalSums>* intervals, std::uint64_t stacks) {
  IntervalSums told;
  WallClockCheck check{.wall = scheduler.now() - scheduler.start(), .stacks = stacks};
  for (ThreadNumber number = 0; number < scheduler.threads().size(); ++number) {
    const ThreadClock& thread = scheduler.threads()[number];
    if (thread.tid == 0 || !kept[number]) continue;
    ++check.threads;
    check.times.run += thread.times.run;
    check.times.run_queue += thread.times.run_queue;
    check.times.blocked += thread.times.blocked;
    check.times.unknown += thread.times.unknown;
    check.not_alive += check.wall - thread.observed();
    if (intervals != nullptr && number < intervals->size()) told.add((*intervals)[number]);
  }
  if (intervals == nullptr) return check;
  check.left_out = check.times.run_queue + check.times.blocked - told.run_queue - told.blocked;
  check.times.run_queue = told.run_queue;
  check.times.blocked = told.blocked;
  return check;
}

}  // namespace perfsift::offcpu
