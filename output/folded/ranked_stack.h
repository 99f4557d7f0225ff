// How millions of stacks are sorted without comparing text: each becomes a short string of ranks (see RankedFrames),
// which fits into a cache line or two and compares eight bytes at a time.
//
// Those on the same callers share the string, but for the leaf's rank.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace perfsift::output {

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

}  // namespace perfsift::output
