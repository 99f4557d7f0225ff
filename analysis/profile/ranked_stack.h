// Sorts millions of stacks without comparing text.
//
// Each stack becomes a short string of ranks (see RankedFrames), which fits into a cache line or two and is compared
// eight bytes at a time. Stacks on the same callers share one string. Only the rank of the leaf is stored per stack.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "analysis/profile/amount.h"

namespace perfsift::analysis {

// Ranks fill words from the most significant bits, so comparing words compares ranks in their order. At least one rank
// of 0 follows the last rank, so the word with this 0 ends the stack. `Rank`: std::uint16_t if all ranks fit, or
// std::uint32_t.
template <typename Rank>
struct RankWords {
  static constexpr std::uint32_t bits = sizeof(Rank) * 8;
  static constexpr std::uint32_t per_word = 64 / bits;

  static std::uint32_t word_of(std::uint32_t rank) { return rank / per_word; }
  static std::uint32_t shift_of(std::uint32_t rank) { return 64 - bits * (rank % per_word + 1); }
  static bool ends(std::uint64_t word) { return static_cast<Rank>(word) == 0; }
};

// A stack as ranks. The ranks live as long as the RankedCallers that made them.
template <typename Rank>
struct RankedStack {
  using Words = RankWords<Rank>;

  const std::uint64_t* callers = nullptr;  // the callers' words, with ranks of 0 at the leaf's place and behind it
  std::uint64_t leaf = 0;                  // the leaf's rank, in its place in a word
  const Amount* amount = nullptr;
  std::uint32_t depth = 0;   // ranks
  std::uint32_t number = 0;  // the number of the stack in its profile

  std::uint64_t word(std::uint32_t i) const { return callers[i] | (i == Words::word_of(depth - 1) ? leaf : 0); }
  std::uint32_t rank(std::uint32_t i) const { return static_cast<Rank>(word(Words::word_of(i)) >> Words::shift_of(i)); }

  // < 0, 0, > 0 if this stack comes before, equals, or comes after the other.
  int compare(const RankedStack& other) const {
    for (std::uint32_t i = 0;; ++i) {
      const std::uint64_t mine = word(i), others = other.word(i);
      if (mine != others) return mine < others ? -1 : 1;
      if (Words::ends(mine)) return 0;
    }
  }

  // The number of equal ranks at the start of both stacks.
  std::uint32_t common(const RankedStack& other) const {
    for (std::uint32_t i = 0;; ++i) {
      const std::uint64_t mine = word(i), others = other.word(i);
      if (mine != others || Words::ends(mine)) {
        const auto same_bits = static_cast<std::uint32_t>(std::countl_zero(mine ^ others));
        return std::min({i * Words::per_word + same_bits / Words::bits, depth, other.depth});
      }
    }
  }

  // Prefetches the first words. Most stacks have no more words.
  void prefetch() const {
    __builtin_prefetch(callers);
    __builtin_prefetch(callers + 8);
  }
};

// Sorts by `item.*key`, stably. `scratch` is as large as `items`. A radix sort with one pass for each byte in which
// keys differ. Numbers close to each other differ in few bytes, so the sort is faster than comparisons from some
// hundred items on.
template <typename Item>
void radix_sort(std::span<Item> items, std::span<Item> scratch, std::uint64_t Item::*key) {
  std::uint64_t different = 0;
  for (const Item& item : items) different |= item.*key ^ items.front().*key;

  std::span<Item> from = items, to = scratch.first(items.size());
  for (unsigned shift = 0; shift < 64; shift += 8) {
    if ((different >> shift & 0xff) == 0) continue;
    std::array<std::size_t, 256> ends{};
    for (const Item& item : from) ++ends[item.*key >> shift & 0xff];
    std::size_t start = 0;
    for (std::size_t& end : ends) start += std::exchange(end, start);
    for (const Item& item : from) to[ends[item.*key >> shift & 0xff]++] = item;
    std::swap(from, to);
  }
  if (from.data() != items.data()) std::ranges::copy(from, items.begin());
}

// Not thread-safe.
template <typename Rank>
class StackSorter {
 public:
  using Stack = RankedStack<Rank>;

  // The stacks in their order. Valid until the next call.
  struct Sorted {
    const Stack* stack = nullptr;
    bool again = false;  // equal to the stack before
  };
  std::span<const Sorted> sort(std::span<const Stack> stacks) {
    keys_.clear();
    sorted_.clear();
    for (const Stack& stack : stacks) keys_.push_back({.stack = &stack});
    scratch_.resize(keys_.size());
    if (!keys_.empty()) sort_from(0, keys_);
    return sorted_;
  }

 private:
  // The element that the sort moves.
  struct Key {
    std::uint64_t word = 0;  // the compared word
    const Stack* stack = nullptr;
  };
  using Keys = std::span<Key>;

  // Appends `keys` in order. Their stacks are equal in all words before `at`.
  void sort_from(std::uint32_t at, Keys keys) {
    while (true) {
      if (keys.size() == 1) return append_equal(keys);
      bool all_equal = true;
      for (Key& key : keys) {
        key.word = key.stack->word(at);
        all_equal &= key.word == keys.front().word;
      }
      if (!all_equal) break;
      if (RankWords<Rank>::ends(keys.front().word)) return append_equal(keys);
      ++at;
    }
    if (keys.size() < worth_radix_sort) {
      std::ranges::sort(keys, {}, &Key::word);
    } else {
      radix_sort(keys, Keys(scratch_), &Key::word);
    }
    while (!keys.empty()) {
      const auto end = std::ranges::find_if(keys, [&](const Key& key) { return key.word != keys.front().word; });
      const auto size = static_cast<std::size_t>(end - keys.begin());
      if (RankWords<Rank>::ends(keys.front().word)) {
        append_equal(keys.first(size));
      } else {
        sort_from(at + 1, keys.first(size));
      }
      keys = keys.subspan(size);
    }
  }

  void append_equal(Keys equal) {
    for (const Key& key : equal) sorted_.push_back({.stack = key.stack, .again = &key != equal.data()});
  }

  static constexpr std::size_t worth_radix_sort = 200;

  std::vector<Key> keys_, scratch_;
  std::vector<Sorted> sorted_;
};

}  // namespace perfsift::analysis
