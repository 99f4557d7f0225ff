// How millions of stacks are sorted without comparing text: each becomes a short string of ranks (see RankedFrames),
// which fits into a cache line or two and compares eight bytes at a time.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/error.h"
#include "base/large_vector.h"
#include "tools/output/radix_sort.h"
#include "tools/output/ranked_frames.h"
#include "tools/profile/profile.h"

namespace perfsift::tools {

// The stacks of some lists, sorted as their lines are, each once. `Rank`: std::uint16_t, where all ranks fit into it,
// or std::uint32_t. Immutable, so thread-safe.
template <typename Rank>
class RankedStacks {
 public:
  struct Stack {
    std::uint32_t start = 0;  // in words of eight bytes
    std::uint32_t depth = 0;  // ranks
    std::uint64_t value = 0;
  };

  // `event_frames`: for each event the frame in front of its stacks; empty: there is none. A stack of no frame at all
  // has no line, and is left out. Throws Error when the stacks would take more than 32 GB.
  RankedStacks(std::span<const StackList* const> lists, std::span<const FrameId> event_frames,
               const RankedFrames& ranks) {
    std::size_t stacks = 0, frames = 0;
    for (const StackList* list : lists) stacks += list->entries().size(), frames += list->total_frames();
    stacks_.reserve(stacks);
    words_.reserve(frames / per_word + stacks * 2);
    for (const StackList* list : lists) append(*list, event_frames, ranks);
    if (words_.size() > ~std::uint32_t{0}) throw Error("more stacks than can be sorted: fold fewer files at a time");
    sort();
  }

  const LargeVector<Stack>& stacks() const { return stacks_; }

  std::uint32_t rank(const Stack& stack, std::uint32_t i) const {
    return static_cast<Rank>(words_[stack.start + i / per_word] >> (64 - bits * (i % per_word + 1)));
  }

  // < 0, 0, > 0 as the line of `a` comes before, is, or comes after that of `b`, a stack of `other`.
  int compare(const Stack& a, const RankedStacks& other, const Stack& b) const {
    for (std::uint32_t i = 0;; ++i) {
      const std::uint64_t x = words_[a.start + i], y = other.words_[b.start + i];
      if (x != y) return x < y ? -1 : 1;
      if (ends_stack(x)) return 0;
    }
  }

  // Asks for what is needed of a stack a little behind the one at this place.
  void prefetch_behind(std::size_t place) const {
    if (place + few_ahead >= stacks_.size()) return;
    const std::uint64_t* words = &words_[stacks_[place + few_ahead].start];
    __builtin_prefetch(words);
    __builtin_prefetch(words + 8);
  }

  // How many ranks at the start of both are the same.
  std::uint32_t common(const Stack& a, const RankedStacks& other, const Stack& b) const {
    for (std::uint32_t i = 0;; ++i) {
      const std::uint64_t x = words_[a.start + i], y = other.words_[b.start + i];
      const auto same_bits = static_cast<std::uint32_t>(std::countl_zero(x ^ y));
      if (x != y || ends_stack(x)) return std::min({i * per_word + same_bits / bits, a.depth, b.depth});
    }
  }

 private:
  static constexpr std::uint32_t bits = sizeof(Rank) * 8;
  static constexpr std::uint32_t per_word = 64 / bits;

  void append(const StackList& list, std::span<const FrameId> event_frames, const RankedFrames& ranks) {
    const std::size_t event_depth = event_frames.empty() ? 0 : 1;
    const auto& entries = list.entries();
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (i + few_ahead < entries.size()) prefetch(entries[i + few_ahead].outer);
      const StackList::Entry& entry = entries[i];
      const std::size_t depth = event_depth + entry.depth();
      if (depth == 0) continue;
      stacks_.push_back({.start = static_cast<std::uint32_t>(words_.size()),
                         .depth = static_cast<std::uint32_t>(depth),
                         .value = entry.value});
      StackWriter writer(ranks, depth, words_);
      if (event_depth != 0) writer.append(event_frames[entry.event]);
      entry.for_each_frame([&](FrameId frame) { writer.append(frame); });
    }
  }

  static void prefetch(std::span<const FrameId> frames) {
    constexpr std::size_t line = 64 / sizeof(FrameId);
    for (std::size_t i = 0; i < frames.size(); i += line) __builtin_prefetch(&frames[i]);
  }

  // Ranks fill words from the top, so that comparing words compares them in their order. At least one rank of 0 is
  // behind the last: the word that holds it ends the stack.
  class StackWriter {
   public:
    StackWriter(const RankedFrames& ranks, std::size_t depth, LargeVector<std::uint64_t>& words)
        : ranks_(ranks), left_(depth) {
      const std::size_t start = words.size();
      words.resize(start + depth / per_word + 1);
      word_ = &words[start];
    }
    void append(FrameId frame) {
      const std::uint64_t rank = --left_ == 0 ? ranks_.leaf(frame) : ranks_.inner(frame);
      shift_ -= bits;
      *word_ |= rank << shift_;
      if (shift_ == 0) shift_ = 64, ++word_;
    }

   private:
    const RankedFrames& ranks_;
    std::size_t left_;
    std::uint64_t* word_;
    std::uint32_t shift_ = 64;
  };
  static bool ends_stack(std::uint64_t word) { return static_cast<Rank>(word) == 0; }

  // What is moved when stacks are sorted.
  struct Key {
    std::uint64_t word = 0;  // the one that is sorted by
    std::uint32_t start = 0;
    std::uint32_t stack = 0;
  };
  using Keys = std::span<Key>;

  void sort() {
    LargeVector<Key> keys;
    keys.reserve(stacks_.size());
    for (const Stack& stack : stacks_) keys.push_back({0, stack.start, static_cast<std::uint32_t>(keys.size())});
    LargeVector<Key> scratch(keys.size());
    LargeVector<Stack> sorted;
    sorted.reserve(stacks_.size());
    if (!keys.empty()) sort_from(0, keys, scratch, sorted);
    stacks_ = std::move(sorted);
  }

  // Appends stacks that agree up to `at`, a place in their words, in their order.
  void sort_from(std::uint32_t at, Keys keys, Keys scratch, LargeVector<Stack>& sorted) const {
    while (true) {
      if (keys.size() == 1) return append_as_one(keys, sorted);
      bool all_equal = true;
      for (Key& key : keys) {
        key.word = words_[key.start + at];
        all_equal &= key.word == keys.front().word;
      }
      if (!all_equal) break;
      if (ends_stack(keys.front().word)) return append_as_one(keys, sorted);
      ++at;
    }
    if (keys.size() < worth_radix_sort) {
      std::ranges::sort(keys, {}, &Key::word);
    } else {
      radix_sort(keys, scratch, &Key::word);
    }
    std::size_t prefetched = 0;  // of the keys that are left
    while (!keys.empty()) {
      const auto end = std::ranges::find_if(keys, [&](const Key& key) { return key.word != keys.front().word; });
      const auto size = static_cast<std::size_t>(end - keys.begin());
      prefetched = std::max(prefetched, size);
      for (; prefetched < std::min(keys.size(), size + prefetch_ahead); ++prefetched) {
        __builtin_prefetch(&words_[keys[prefetched].start] + at + 1);
        __builtin_prefetch(&stacks_[keys[prefetched].stack]);
      }
      if (ends_stack(keys.front().word)) {
        append_as_one(keys.first(size), sorted);
      } else {
        sort_from(at + 1, keys.first(size), scratch, sorted);
      }
      keys = keys.subspan(size);
      prefetched -= size;
    }
  }

  void append_as_one(Keys equal, LargeVector<Stack>& sorted) const {
    sorted.push_back(stacks_[equal.front().stack]);
    for (const Key& other : equal.subspan(1)) sorted.back().value += stacks_[other.stack].value;
  }

  static constexpr std::size_t worth_radix_sort = 1000;
  // Sorted stacks lie scattered: what the next groups need is asked for while this one is sorted.
  static constexpr std::size_t prefetch_ahead = 64;
  static constexpr std::size_t few_ahead = 8;  // where several lines of the cache are asked for

  LargeVector<std::uint64_t> words_;
  LargeVector<Stack> stacks_;
};

}  // namespace perfsift::tools
