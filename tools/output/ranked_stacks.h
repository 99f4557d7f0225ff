// How millions of stacks are sorted without comparing text: each becomes a short string of ranks (see RankedFrames),
// which fits into a cache line or two and compares eight bytes at a time.
//
// Those on the same callers share the string, but for the leaf's rank.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "base/large_vector.h"
#include "tools/output/ranked_frames.h"
#include "tools/profile/profile.h"

namespace perfsift::tools {

// Ranks fill words from the top, so that comparing words compares them in their order. At least one rank of 0 is behind
// the last: the word that holds it ends the stack. `Rank`: std::uint16_t, where all ranks fit into it, or
// std::uint32_t.
template <typename Rank>
struct RankWords {
  static constexpr std::uint32_t bits = sizeof(Rank) * 8;
  static constexpr std::uint32_t per_word = 64 / bits;

  static std::uint32_t word_of(std::uint32_t rank) { return rank / per_word; }
  static std::uint32_t shift_of(std::uint32_t rank) { return 64 - bits * (rank % per_word + 1); }
  static bool ends(std::uint64_t word) { return static_cast<Rank>(word) == 0; }
};

// A stack as ranks, which live as long as the RankedCallers that made them.
template <typename Rank>
struct RankedStack {
  using Words = RankWords<Rank>;

  const std::uint64_t* callers = nullptr;  // their words, with ranks of 0 where the leaf's goes and behind it
  std::uint64_t leaf = 0;                  // its rank, in its place in a word
  std::uint64_t value = 0;
  std::uint32_t depth = 0;  // ranks

  std::uint64_t word(std::uint32_t i) const { return callers[i] | (i == Words::word_of(depth - 1) ? leaf : 0); }
  std::uint32_t rank(std::uint32_t i) const { return static_cast<Rank>(word(Words::word_of(i)) >> Words::shift_of(i)); }

  // < 0, 0, > 0 as the line of this one comes before, is, or comes after that of the other.
  int compare(const RankedStack& other) const {
    for (std::uint32_t i = 0;; ++i) {
      const std::uint64_t mine = word(i), others = other.word(i);
      if (mine != others) return mine < others ? -1 : 1;
      if (Words::ends(mine)) return 0;
    }
  }

  // How many ranks at the start of both are the same.
  std::uint32_t common(const RankedStack& other) const {
    for (std::uint32_t i = 0;; ++i) {
      const std::uint64_t mine = word(i), others = other.word(i);
      if (mine != others || Words::ends(mine)) {
        const auto same_bits = static_cast<std::uint32_t>(std::countl_zero(mine ^ others));
        return std::min({i * Words::per_word + same_bits / Words::bits, depth, other.depth});
      }
    }
  }

  // Asks for the memory of the first words; most stacks have no more.
  void prefetch() const {
    __builtin_prefetch(callers);
    __builtin_prefetch(callers + 8);
  }
};

// Stacks in the order of lines, between which ranges of others lie: range i has what does not come before limit i - 1,
// but before limit i. The stacks must live as long as this.
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

  // The first and the last range that may hold stacks on some callers. `lowest`: a stack on them without a leaf.
  std::pair<std::uint32_t, std::uint32_t> ranges_of(const Stack& lowest) const {
    const std::uint32_t first = first_from(lowest.callers);
    std::uint32_t last = first;
    while (last < stacks_.size() && stacks_[last].common(lowest) == lowest.depth - 1) ++last;
    return {first, last};
  }
  // The range of a stack, which is one of these.
  std::uint32_t range_of(const Stack& stack, std::uint32_t first, std::uint32_t last) const {
    const auto among = std::span(stacks_).subspan(first, last - first);
    const auto above = std::ranges::partition_point(among, [&](const Stack& at) { return at.compare(stack) <= 0; });
    return first + static_cast<std::uint32_t>(above - among.begin());
  }

 private:
  // How many limits come before callers, none of which they are. What the limits around those that are left have in
  // common with the callers, all between them have.
  std::uint32_t first_from(const std::uint64_t* callers) const {
    std::uint32_t below = 0, end = static_cast<std::uint32_t>(stacks_.size());
    std::uint32_t same_below = 0, same_end = 0;
    while (below < end) {
      const std::uint32_t middle = below + (end - below) / 2;
      const std::uint64_t* const limit = words_.data() + starts_[middle];
      std::uint32_t i = std::min(same_below, same_end);
      while (limit[i] == callers[i]) ++i;
      if (limit[i] < callers[i]) {
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
  std::vector<std::uint64_t> words_;  // of all, one after the other
  std::vector<std::size_t> starts_;
};

// All callers of a profile as ranks, and in which ranges of stacks their stacks lie. Steps for the lists of the profile
// may be done at the same time, but for those of one list.
template <typename Rank>
class RankedCallers {
 public:
  using Stack = RankedStack<Rank>;
  using Words = RankWords<Rank>;

  // `event_frames`: for each event the frame in front of its stacks; empty: there is none.
  RankedCallers(const Profile& profile, std::span<const FrameId> event_frames, const RankedFrames& ranks)
      : profile_(profile), event_frames_(event_frames), ranks_(ranks), lists_(profile.lists().size()) {}

  // First for each list.
  void rank(std::size_t list) {
    const StableVector<Callers>& callers = profile_.lists()[list].callers();
    List& into = lists_[list];
    std::size_t words = 0;
    for (const Callers& one : callers) words += words_for(depth_of(one));
    into.words.reserve(words);  // so that they stay where they are
    into.ranked.reserve(callers.size());
    for (const Callers& one : callers) {
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

  Stack stack(const StackList::Entry& entry) const {
    const Ranked& callers = ranked(entry.callers);
    const std::uint64_t leaf = ranks_.leaf(entry.leaf);
    return {.callers = callers.words,
            .leaf = leaf << Words::shift_of(callers.depth - 1),
            .value = entry.value,
            .depth = callers.depth};
  }
  // Asks for the memory that stack() and range_of() will need.
  void prefetch(const StackList::Entry& entry) const { __builtin_prefetch(&ranked(entry.callers)); }

  std::uint32_t range_of(const StackList::Entry& entry, const RangeLimits<Rank>& limits) const {
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

  const Ranked& ranked(CallersId id) const { return lists_[id.list].ranked[id.index]; }
  std::uint32_t depth_of(const Callers& callers) const {
    return static_cast<std::uint32_t>((event_frames_.empty() ? 0 : 1) + callers.frames.size() + 1);
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
    if (!event_frames_.empty()) append(event_frames_[callers.event]);
    for (const FrameId frame : callers.frames) append(frame);
    words.push_back(word);
    if (shift == Words::bits) words.push_back(0);  // the leaf fills the word before
  }

  const Profile& profile_;
  const std::span<const FrameId> event_frames_;
  const RankedFrames& ranks_;
  std::vector<List> lists_;
};

}  // namespace perfsift::tools
