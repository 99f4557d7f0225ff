// All stacks of a profile in order, as consecutive ranges of about a thousand stacks that are sorted independently.
//
// The limits of the ranges come from a sample of the stacks. Several threads sort ranges at the same time, so the first
// ranges are used while later ranges are still being sorted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <functional>
#include <span>
#include <vector>

#include "analysis/profile/profile.h"
#include "analysis/profile/ranked_frames.h"
#include "analysis/profile/ranked_stack.h"
#include "analysis/profile/stack_ranges.h"
#include "base/share_work.h"

namespace perfsift::analysis {

// Immutable once made. The profile and the ranks must live longer, and nothing may be added to the profile.
template <typename Rank>
class SortedStacks {
 public:
  using Stack = RankedStack<Rank>;

  // `event_frames`: the name of a stack's event is its first frame.
  SortedStacks(const Profile& profile, bool event_frames, const RankedFrames& ranks, unsigned threads)
      : profile_(profile), threads_(std::max(threads, 1u)), callers_(profile, event_frames, ranks) {
    const std::size_t lists = profile.lists().size();
    share(lists, [&](std::size_t i) { callers_.rank(i); });
    const RangeLimits<Rank> limits = limits_of_ranges();
    ranges_ = limits.ranges();
    share(lists, [&](std::size_t i) { callers_.find_ranges(i, limits); });
    for (auto& some : even_shares()) parts_.emplace_back(std::move(some));
    share(parts_.size(), [&](std::size_t i) { parts_[i].split(callers_, limits); });
  }

  // One thread's memory for sorting. Not thread-safe.
  struct Sorter {
    std::vector<Stack> stacks;
    StackSorter<Rank> sorter;
  };
  using Sorted = typename StackSorter<Rank>::Sorted;

  std::size_t ranges() const { return ranges_; }
  // The stacks of a range in order. Valid until the next call with this sorter. Thread-safe.
  //
  // The data of a stack is in several places of memory. Each step prefetches the data of the next step, for all stacks
  // of the range.
  std::span<const Sorted> sort(std::size_t range, Sorter& sorter) const {
    const auto for_each = [&](auto&& step) {
      for (const RangedStacks<Rank>& part : parts_) {
        for (const typename RangedStacks<Rank>::Ranged& ranged : part.range(range)) step(ranged);
      }
    };
    sorter.stacks.clear();
    for_each([](const auto& ranged) { __builtin_prefetch(ranged.entry); });
    for_each([&](const auto& ranged) { callers_.prefetch(*ranged.entry); });
    for_each([&](const auto& ranged) {
      Stack& stack = sorter.stacks.emplace_back(callers_.stack(*ranged.entry));
      stack.number = ranged.number;
      stack.prefetch();
    });
    return sorter.sorter.sort(sorter.stacks);
  }

  // Calls work(range) once for each range, on all threads. Ranges with lower numbers begin first. An exception ends the
  // program, because other threads may wait for the range.
  template <typename Work>
  void for_each_range(Work&& work) const {
    share(ranges_, work);
  }

 private:
  using List = typename RangedStacks<Rank>::List;

  // The lists in groups, one for each thread, with about the same number of stacks.
  std::vector<std::vector<List>> even_shares() const {
    std::vector<List> by_size;
    std::uint32_t first = 0;
    for (const StackList& list : profile_.lists()) {
      by_size.push_back({.stacks = &list, .first = first});
      first += static_cast<std::uint32_t>(list.entries().size());
    }
    const auto size_of = [](const List& list) { return list.stacks->entries().size(); };
    std::ranges::stable_sort(by_size, std::greater{}, size_of);
    std::vector<std::vector<List>> shares(std::clamp<std::size_t>(by_size.size(), 1, threads_));
    std::vector<std::size_t> stacks(shares.size());
    for (const List& list : by_size) {
      const auto least = static_cast<std::size_t>(std::ranges::min_element(stacks) - stacks.begin());
      shares[least].push_back(list);
      stacks[least] += size_of(list) + 1;
    }
    return shares;
  }

  template <typename Work>
  void share(std::size_t count, Work&& work) const {
    share_work(threads_, count, [&](unsigned, Tasks& tasks) noexcept {
      while (const auto i = tasks.next()) work(*i);
    });
  }

  // The limits of ranges: sorted stacks, with about the same number of stacks between two limits.
  RangeLimits<Rank> limits_of_ranges() const {
    constexpr std::size_t range_size = 1024, sampled_of_each = 16, step = range_size / sampled_of_each;
    std::vector<Stack> sample;
    for (const StackList& list : profile_.lists()) {
      const StableVector<StackList::Entry>& entries = list.entries();
      for (std::size_t i = 0; i < entries.size(); i += step) sample.push_back(callers_.stack(entries[i]));
    }
    StackSorter<Rank> sorter;
    std::vector<Stack> limits;
    std::size_t distinct = 0;
    for (const auto& [stack, again] : sorter.sort(sample)) {
      if (again) continue;
      if (distinct != 0 && distinct % sampled_of_each == 0) limits.push_back(*stack);
      ++distinct;
    }
    return RangeLimits<Rank>(limits);
  }

  const Profile& profile_;
  const unsigned threads_;
  RankedCallers<Rank> callers_;
  std::vector<RangedStacks<Rank>> parts_;
  std::size_t ranges_ = 0;
};

// Calls use(stacks) with the SortedStacks of the profile, with the narrowest type of rank that is wide enough.
template <typename Use>
void with_sorted_stacks(const Profile& profile, bool event_frames, const RankedFrames& ranks, unsigned threads,
                        Use&& use) {
  if (ranks.count() < 1u << 16) {
    use(SortedStacks<std::uint16_t>(profile, event_frames, ranks, threads));
  } else {
    use(SortedStacks<std::uint32_t>(profile, event_frames, ranks, threads));
  }
}

}  // namespace perfsift::analysis
