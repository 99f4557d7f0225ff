// Counts how often each leaf occurs on top of each callchain.
#pragma once

#include <cstddef>
#include <cstdint>

#include "analysis/profile/amount.h"
#include "base/hash.h"
#include "base/large_vector.h"
#include "base/stable_vector.h"

namespace perfsift::analysis {

struct LeafCount {
  std::uint32_t callchain = 0;  // number of the callchain
  std::uint32_t leaf = 0;       // any number
  Amount amount;
};

// Not thread-safe.
class LeafCounts {
 public:
  LeafCounts() : slots_(std::size_t{1} << initial_bits, empty) {}

  // Returns the index of the count in all().
  std::size_t add(std::uint32_t callchain, std::uint32_t leaf, std::uint64_t value) {
    const std::size_t index = find_or_insert(callchain, leaf);
    counts_[index].amount += {.samples = 1, .value = value};
    return index;
  }

  // Prefetch the memory that add() will need: first the slots of all samples of a batch, then the counts.
  void prefetch_slot(std::uint32_t callchain, std::uint32_t leaf) const {
    __builtin_prefetch(&slots_[place_of(hash_of(callchain, leaf))]);
  }
  void prefetch_count(std::uint32_t callchain, std::uint32_t leaf) const {
    const std::uint64_t slot = slots_[place_of(hash_of(callchain, leaf))];
    if (slot != empty) __builtin_prefetch(&counts_[index_in(slot)]);
  }

  // In the order in which the pairs were first seen.
  const StableVector<LeafCount>& all() const { return counts_; }

 private:
  static constexpr unsigned initial_bits = 10;
  static constexpr std::uint64_t empty = ~std::uint64_t{0};

  // A slot holds the upper half of a hash, whose uppermost bits give the place in the table, and the index of the
  // count.
  static constexpr std::uint64_t index_bits = ~std::uint32_t{0};
  static std::size_t index_in(std::uint64_t slot) { return slot & index_bits; }
  static std::uint64_t tag_of(std::uint64_t hash_or_slot) { return hash_or_slot & ~index_bits; }

  static std::uint64_t hash_of(std::uint32_t callchain, std::uint32_t leaf) {
    return mix((std::uint64_t{callchain} << 32 | leaf) ^ odd_1, odd_2);
  }
  std::size_t place_of(std::uint64_t hash_or_slot) const { return hash_or_slot >> shift_; }
  std::size_t next_place(std::size_t place) const { return (place + 1) & (slots_.size() - 1); }

  std::size_t find_or_insert(std::uint32_t callchain, std::uint32_t leaf) {
    const std::uint64_t hash = hash_of(callchain, leaf);
    for (std::size_t place = place_of(hash); slots_[place] != empty; place = next_place(place)) {
      if (tag_of(slots_[place]) != tag_of(hash)) continue;
      const std::size_t index = index_in(slots_[place]);
      if (counts_[index].callchain == callchain && counts_[index].leaf == leaf) return index;
    }
    if (counts_.size() >= slots_.size() / 3 * 2) grow();
    take_slot(tag_of(hash) | counts_.size());
    counts_.push_back({.callchain = callchain, .leaf = leaf});
    return counts_.size() - 1;
  }

  void take_slot(std::uint64_t slot) {
    std::size_t place = place_of(slot);
    while (slots_[place] != empty) place = next_place(place);
    slots_[place] = slot;
  }

  void grow() {
    LargeVector<std::uint64_t> old(slots_.size() * 4, empty);
    old.swap(slots_);
    shift_ -= 2;
    for (const std::uint64_t slot : old) {
      if (slot != empty) take_slot(slot);
    }
  }

  unsigned shift_ = 64 - initial_bits;  // from a hash to its place
  LargeVector<std::uint64_t> slots_;
  StableVector<LeafCount> counts_;
};

}  // namespace perfsift::analysis
