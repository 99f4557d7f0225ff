// How millions of stacks are sorted without comparing text: each becomes a short string of ranks (see RankedFrames),
// which fits into a cache line or two and compares eight bytes at a time.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/large_vector.h"
#include "tools/output/ranked_frames.h"
#include "tools/profile/profile.h"

namespace perfsift::tools {

// A stack as ranks, which live as long as the RankedStacks that made them. `Rank`: std::uint16_t, where all ranks fit
// into it, or std::uint32_t.
template <typename Rank>
struct RankedStack {
  // Ranks fill words from the top, so that comparing words compares them in their order. At least one rank of 0 is
  // behind the last: the word that holds it ends the stack.
  static constexpr std::uint32_t bits = sizeof(Rank) * 8;
  static constexpr std::uint32_t per_word = 64 / bits;
  static bool ends(std::uint64_t word) { return static_cast<Rank>(word) == 0; }

  const std::uint64_t* words = nullptr;
  std::uint64_t value = 0;
  std::uint32_t depth = 0;  // ranks

  std::uint32_t rank(std::uint32_t i) const {
    return static_cast<Rank>(words[i / per_word] >> (64 - bits * (i % per_word + 1)));
  }

  // < 0, 0, > 0 as the line of this one comes before, is, or comes after that of the other.
  int compare(const RankedStack& other) const {
    for (std::uint32_t i = 0;; ++i) {
      if (words[i] != other.words[i]) return words[i] < other.words[i] ? -1 : 1;
      if (ends(words[i])) return 0;
    }
  }

  // How many ranks at the start of both are the same.
  std::uint32_t common(const RankedStack& other) const {
    for (std::uint32_t i = 0;; ++i) {
      const auto same_bits = static_cast<std::uint32_t>(std::countl_zero(words[i] ^ other.words[i]));
      if (words[i] != other.words[i] || ends(words[i])) {
        return std::min({i * per_word + same_bits / bits, depth, other.depth});
      }
    }
  }

  // Asks for the memory of the first words; most stacks have no more.
  void prefetch() const {
    __builtin_prefetch(words);
    __builtin_prefetch(words + 8);
  }
};

// The stacks of some lists, which can be told in which range between given ones they lie. Not thread-safe.
template <typename Rank>
class RankedStacks {
 public:
  using Stack = RankedStack<Rank>;

  // `event_frames`: for each event the frame in front of its stacks; empty: there is none. A stack of no frame at all
  // has no line, and is left out.
  RankedStacks(std::span<const StackList* const> lists, std::span<const FrameId> event_frames,
               const RankedFrames& ranks) {
    std::size_t stacks = 0, frames = 0;
    for (const StackList* list : lists) stacks += list->entries().size(), frames += list->total_frames();
    stacks_.reserve(stacks);
    words_.reserve(frames / Stack::per_word + stacks * 2);  // enough, so that they stay where they are
    for (const StackList* list : lists) append(*list, event_frames, ranks);
  }
  RankedStacks(const RankedStacks&) = delete;
  RankedStacks& operator=(const RankedStacks&) = delete;

  std::span<const Stack> all() const { return stacks_; }

  // Puts those of a range next to each other: range i has what does not come before limits[i - 1], but before
  // limits[i]. `limits`: sorted.
  void split(std::span<const Stack> limits) {
    LargeVector<std::uint32_t> range_of;
    range_of.reserve(stacks_.size());
    starts_.assign(limits.size() + 2, 0);
    for (const Stack& stack : stacks_) {
      const auto above =
          std::ranges::partition_point(limits, [&](const Stack& limit) { return limit.compare(stack) <= 0; });
      range_of.push_back(static_cast<std::uint32_t>(above - limits.begin()));
      ++starts_[range_of.back() + 1];
    }
    for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
    std::vector<std::size_t> places(starts_);
    LargeVector<Stack> by_range(stacks_.size());
    for (std::size_t i = 0; i < stacks_.size(); ++i) by_range[places[range_of[i]]++] = stacks_[i];
    stacks_ = std::move(by_range);
  }
  // After split().
  std::span<const Stack> range(std::size_t i) const {
    return std::span(stacks_).subspan(starts_[i], starts_[i + 1] - starts_[i]);
  }

 private:
  void append(const StackList& list, std::span<const FrameId> event_frames, const RankedFrames& ranks) {
    const std::size_t event_depth = event_frames.empty() ? 0 : 1;
    const auto& entries = list.entries();
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (i + prefetch_ahead < entries.size()) prefetch(entries[i + prefetch_ahead].outer);
      const StackList::Entry& entry = entries[i];
      const std::size_t depth = event_depth + entry.depth();
      if (depth == 0) continue;
      StackWriter writer(ranks, depth, words_);
      stacks_.push_back({.words = writer.words(), .value = entry.value, .depth = static_cast<std::uint32_t>(depth)});
      if (event_depth != 0) writer.append(event_frames[entry.event]);
      entry.for_each_frame([&](FrameId frame) { writer.append(frame); });
    }
  }

  static void prefetch(std::span<const FrameId> frames) {
    constexpr std::size_t line = 64 / sizeof(FrameId);
    for (std::size_t i = 0; i < frames.size(); i += line) __builtin_prefetch(&frames[i]);
  }

  class StackWriter {
   public:
    StackWriter(const RankedFrames& ranks, std::size_t depth, LargeVector<std::uint64_t>& words)
        : ranks_(ranks), left_(depth) {
      const std::size_t start = words.size();
      words.resize(start + depth / Stack::per_word + 1);
      word_ = &words[start];
    }
    // Where the first rank goes; to be asked before append().
    const std::uint64_t* words() const { return word_; }
    void append(FrameId frame) {
      const std::uint64_t rank = --left_ == 0 ? ranks_.leaf(frame) : ranks_.inner(frame);
      shift_ -= Stack::bits;
      *word_ |= rank << shift_;
      if (shift_ == 0) shift_ = 64, ++word_;
    }

   private:
    const RankedFrames& ranks_;
    std::size_t left_;
    std::uint64_t* word_;
    std::uint32_t shift_ = 64;
  };

  static constexpr std::size_t prefetch_ahead = 8;

  LargeVector<std::uint64_t> words_;
  LargeVector<Stack> stacks_;
  std::vector<std::size_t> starts_;  // of ranges
};

}  // namespace perfsift::tools
