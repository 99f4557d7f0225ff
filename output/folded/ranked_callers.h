// From the stacks of a profile to ranked ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "analysis/profile/profile.h"
#include "base/large_vector.h"
#include "output/folded/range_limits.h"
#include "output/folded/ranked_frames.h"
#include "output/folded/ranked_stack.h"

namespace perfsift::output {

// All callers of a profile as ranks, and in which ranges of stacks their stacks lie. Steps for the lists of the profile
// may be done at the same time, but for those of one list.
template <typename Rank>
class RankedCallers {
 public:
  using Stack = RankedStack<Rank>;
  using Words = RankWords<Rank>;

  // `event_frames`: for each event the frame in front of its stacks; empty: there is none.
  RankedCallers(const analysis::Profile& profile, std::span<const analysis::FrameId> event_frames,
                const RankedFrames& ranks)
      : profile_(profile), event_frames_(event_frames), ranks_(ranks), lists_(profile.lists().size()) {}

  // First for each list.
  void rank(std::size_t list) {
    const StableVector<analysis::Callers>& callers = profile_.lists()[list].callers();
    List& into = lists_[list];
    std::size_t words = 0;
    for (const analysis::Callers& one : callers) words += words_for(depth_of(one));
    into.words.reserve(words);  // so that they stay where they are
    into.ranked.reserve(callers.size());
    for (const analysis::Callers& one : callers) {
      into.ranked.push_back({.words = into.words.data() + into.words.size(), .depth = depth_of(one)});
      append_ranks(one, into.words);
    }
  }

  // Then for each list, if range_of() is to be known.
  void find_ranges(std::size_t list, const RangeLimits<Rank>& limits) {
    for (Ranked& one : lists_[list].ranked) {
      std::tie(one.first_range, one.last_range) = limits.ranges_of({.callers = one.words, .depth = one.depth});
    }
  }

  Stack stack(const analysis::StackList::Entry& entry) const {
    const Ranked& callers = ranked(entry.callers);
    const std::uint64_t leaf = ranks_.leaf(entry.leaf);
    return {.callers = callers.words,
            .leaf = leaf << Words::shift_of(callers.depth - 1),
            .value = entry.value,
            .depth = callers.depth};
  }
  // Asks for the memory that stack() and range_of() will need.
  void prefetch(const analysis::StackList::Entry& entry) const { __builtin_prefetch(&ranked(entry.callers)); }

  std::uint32_t range_of(const analysis::StackList::Entry& entry, const RangeLimits<Rank>& limits) const {
    const Ranked& callers = ranked(entry.callers);
    if (callers.first_range == callers.last_range) return callers.first_range;
    return limits.range_of(stack(entry), callers.first_range, callers.last_range);
  }

 private:
  struct Ranked {
    const std::uint64_t* words = nullptr;
    std::uint32_t depth = 0;  // with a leaf
    std::uint32_t first_range = 0, last_range = 0;
  };
  struct List {
    LargeVector<std::uint64_t> words;
    LargeVector<Ranked> ranked;
  };

  static std::size_t words_for(std::uint32_t depth) { return Words::word_of(depth) + 1; }

  const Ranked& ranked(analysis::CallersId id) const { return lists_[id.list].ranked[id.index]; }
  std::uint32_t depth_of(const analysis::Callers& callers) const {
    return static_cast<std::uint32_t>((event_frames_.empty() ? 0 : 1) + callers.frames.size() + 1);
  }

  void append_ranks(const analysis::Callers& callers, LargeVector<std::uint64_t>& words) const {
    std::uint64_t word = 0;
    std::uint32_t shift = 64;
    const auto append = [&](analysis::FrameId frame) {
      shift -= Words::bits;
      word |= std::uint64_t{ranks_.inner(frame)} << shift;
      if (shift != 0) return;
      words.push_back(word);
      word = 0;
      shift = 64;
    };
    if (!event_frames_.empty()) append(event_frames_[callers.event]);
    for (const analysis::FrameId frame : callers.frames) append(frame);
    words.push_back(word);
    if (shift == Words::bits) words.push_back(0);  // the leaf fills the word before
  }

  const analysis::Profile& profile_;
  const std::span<const analysis::FrameId> event_frames_;
  const RankedFrames& ranks_;
  std::vector<List> lists_;
};

}  // namespace perfsift::output
