// Divides millions of stacks into ranges that can be sorted and written one after the other.
//
// The limits of the ranges are some sorted stacks (RangeLimits). Stacks on the same callers are mostly in one range. So
// the ranges of callers are found first (RankedCallers), and then the ranges of stacks (RangedStacks).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "analysis/profile/profile.h"
#include "analysis/profile/ranked_frames.h"
#include "analysis/profile/ranked_stack.h"
#include "base/large_vector.h"
#include "base/stable_vector.h"

namespace perfsift::analysis {

// The limits of ranges: sorted stacks. Range i has the stacks from limit i - 1 (inclusive) to limit i (exclusive). The
// stacks must live longer.
template <typename Rank>
class RangeLimits {
 public:
  using Stack = RankedStack<Rank>;
  using Words = RankWords<Rank>;

  explicit RangeLimits(std::span<const Stack> sorted) : stacks_(sorted.begin(), sorted.end()) {
    for (const Stack& stack : stacks_) {
      starts_.push_back(words_.size());
      for (std::uint32_t i = 0; i <= Words::word_of(stack.depth); ++i) words_.push_back(stack.word(i));
    }
  }

  std::size_t ranges() const { return stacks_.size() + 1; }

  // The first and the last range that may hold stacks on some callers. `lowest`: a stack of these callers without a
  // leaf.
  std::pair<std::uint32_t, std::uint32_t> ranges_of(const Stack& lowest) const {
    const std::uint32_t first = first_from(lowest.callers);
    std::uint32_t last = first;
    while (last < stacks_.size() && stacks_[last].common(lowest) == lowest.depth - 1) ++last;
    return {first, last};
  }
  // The range of a stack, among the ranges from `first` to `last`.
  std::uint32_t range_of(const Stack& stack, std::uint32_t first, std::uint32_t last) const {
    const auto among = std::span(stacks_).subspan(first, last - first);
    const auto above = std::ranges::partition_point(among, [&](const Stack& at) { return at.compare(stack) <= 0; });
    return first + static_cast<std::uint32_t>(above - among.begin());
  }

 private:
  // The number of limits that come before all stacks on the callers. A limit may equal the callers, and then comes
  // before the stacks on them. A binary search: the limits at its two ends share some first words with the callers, and
  // all limits between them share these words, too.
  std::uint32_t first_from(const std::uint64_t* callers) const {
    std::uint32_t below = 0, end = static_cast<std::uint32_t>(stacks_.size());
    std::uint32_t same_below = 0, same_end = 0;
    while (below < end) {
      const std::uint32_t middle = below + (end - below) / 2;
      const std::uint64_t* const limit = words_.data() + starts_[middle];
      std::uint32_t i = std::min(same_below, same_end);
      while (limit[i] == callers[i] && !Words::ends(limit[i])) ++i;
      if (limit[i] <= callers[i]) {
        below = middle + 1;
        same_below = i;
      } else {
        end = middle;
        same_end = i;
      }
    }
    return below;
  }

  const std::vector<Stack> stacks_;
  std::vector<std::uint64_t> words_;  // the words of all limits, in their order
  std::vector<std::size_t> starts_;
};

// All callers of a profile as ranks, and the ranges of their stacks. Different threads may do the steps of different
// lists at the same time, but not the steps of one list.
template <typename Rank>
class RankedCallers {
 public:
  using Stack = RankedStack<Rank>;
  using Words = RankWords<Rank>;

  // `event_frames`: the name of a stack's event is its first frame.
  RankedCallers(const Profile& profile, bool event_frames, const RankedFrames& ranks)
      : profile_(profile), event_frames_(event_frames), ranks_(ranks), lists_(profile.lists().size()) {}

  // The first step of a list.
  void rank(std::size_t list) {
    const StableVector<Callers>& callers = profile_.lists()[list].callers();
    List& into = lists_[list];
    std::size_t words = 0;
    for (const Callers& one : callers) words += words_for(depth_of(one));
    into.words.reserve(words);  // the words must keep their addresses
    into.ranked.reserve(callers.size());
    for (const Callers& one : callers) {
      into.ranked.push_back({.words = into.words.data() + into.words.size(), .depth = depth_of(one)});
      append_ranks(one, into.words);
    }
  }

  // The second step of a list. Only range_of() needs it.
  void find_ranges(std::size_t list, const RangeLimits<Rank>& limits) {
    for (Ranked& one : lists_[list].ranked) {
      std::tie(one.first_range, one.last_range) = limits.ranges_of({.callers = one.words, .depth = one.depth});
    }
  }

  Stack stack(const StackList::Entry& entry) const {
    const Ranked& callers = ranked(entry.callers);
    const std::uint64_t leaf = ranks_.leaf(entry.leaf);
    return {.callers = callers.words,
            .leaf = leaf << Words::shift_of(callers.depth - 1),
            .amount = &entry.amount,
            .depth = callers.depth};
  }
  // Prefetches the memory that stack() and range_of() will read.
  void prefetch(const StackList::Entry& entry) const { __builtin_prefetch(&ranked(entry.callers)); }

  std::uint32_t range_of(const StackList::Entry& entry, const RangeLimits<Rank>& limits) const {
    const Ranked& callers = ranked(entry.callers);
    if (callers.first_range == callers.last_range) return callers.first_range;
    return limits.range_of(stack(entry), callers.first_range, callers.last_range);
  }

 private:
  struct Ranked {
    const std::uint64_t* words = nullptr;
    std::uint32_t depth = 0;  // leaf included
    std::uint32_t first_range = 0, last_range = 0;
  };
  struct List {
    LargeVector<std::uint64_t> words;
    LargeVector<Ranked> ranked;
  };

  static std::size_t words_for(std::uint32_t depth) { return Words::word_of(depth) + 1; }

  const Ranked& ranked(CallersId id) const { return lists_[id.list].ranked[id.index]; }
  std::uint32_t depth_of(const Callers& callers) const {
    return static_cast<std::uint32_t>((event_frames_ ? 1 : 0) + callers.frames.size() + 1);
  }

  void append_ranks(const Callers& callers, LargeVector<std::uint64_t>& words) const {
    std::uint64_t word = 0;
    std::uint32_t shift = 64;
    const auto append = [&](FrameId frame) {
      shift -= Words::bits;
      word |= std::uint64_t{ranks_.inner(frame)} << shift;
      if (shift != 0) return;
      words.push_back(word);
      word = 0;
      shift = 64;
    };
    if (event_frames_) append(profile_.event_frame(callers.event));
    for (const FrameId frame : callers.frames) append(frame);
    words.push_back(word);
    if (shift == Words::bits) words.push_back(0);  // the leaf fills the word before
  }

  const Profile& profile_;
  const bool event_frames_;
  const RankedFrames& ranks_;
  std::vector<List> lists_;
};

// The stacks of some lists, grouped by range. Not thread-safe.
template <typename Rank>
class RangedStacks {
 public:
  using Entry = StackList::Entry;
  struct List {
    const StackList* stacks = nullptr;
    std::uint32_t first = 0;  // the number of its first stack in the profile
  };
  struct Ranged {
    const Entry* entry = nullptr;
    std::uint32_t number = 0;  // the number of the stack in the profile
  };

  explicit RangedStacks(std::vector<List> lists) : lists_(std::move(lists)) {}

  // Must be called after RankedCallers::find_ranges() of all callers.
  void split(const RankedCallers<Rank>& callers, const RangeLimits<Rank>& limits) {
    LargeVector<std::uint32_t> range_of;
    range_of.reserve(count(lists_));
    starts_.assign(limits.ranges() + 1, 0);
    for (const List& list : lists_) {
      const StableVector<Entry>& entries = list.stacks->entries();
      for (std::size_t i = 0; i < entries.size(); ++i) {
        if (i + prefetch_ahead < entries.size()) callers.prefetch(entries[i + prefetch_ahead]);
        range_of.push_back(callers.range_of(entries[i], limits));
        ++starts_[range_of.back() + 1];
      }
    }
    for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
    std::vector<std::size_t> places(starts_);
    by_range_.resize(range_of.size());
    auto range = range_of.begin();
    for (const List& list : lists_) {
      std::uint32_t number = list.first;
      for (const Entry& entry : list.stacks->entries()) {
        by_range_[places[*range++]++] = {.entry = &entry, .number = number++};
      }
    }
  }
  // Must be called after split().
  std::span<const Ranged> range(std::size_t i) const {
    return std::span(by_range_).subspan(starts_[i], starts_[i + 1] - starts_[i]);
  }

 private:
  static constexpr std::size_t prefetch_ahead = 16;

  static std::size_t count(const std::vector<List>& lists) {
    std::size_t stacks = 0;
    for (const List& list : lists) stacks += list.stacks->entries().size();
    return stacks;
  }

  std::vector<List> lists_;
  LargeVector<Ranged> by_range_;
  std::vector<std::size_t> starts_;  // by range
};

}  // namespace perfsift::analysis
