// How often each leaf was seen on top of each callchain.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/large_vector.h"
#include "base/stable_vector.h"
#include "tools/profile/word_hash.h"

namespace perfsift::tools {

// Not thread-safe.
class LeafCounts {
 public:
  struct Count {
    std::uint32_t callchain = 0;
    std::uint32_t leaf = 0;
    std::uint64_t samples = 0;
    std::uint64_t value = 0;
  };

  LeafCounts() : slots_(initial_slots, empty) {}

  void add(std::uint32_t callchain, std::uint32_t leaf, std::uint64_t value) {
    Count& count = find_or_insert(callchain, leaf);
    ++count.samples;
    count.value += value;
  }

  // Ask for the memory that add() will need: first all samples of a batch for the slot, then all for the count.
  void prefetch_slot(std::uint32_t callchain, std::uint32_t leaf) const {
    __builtin_prefetch(&slots_[hash_of(callchain, leaf) & mask()]);
  }
  void prefetch_count(std::uint32_t callchain, std::uint32_t leaf) const {
    const std::uint64_t slot = slots_[hash_of(callchain, leaf) & mask()];
    if (slot != empty) __builtin_prefetch(&counts_[index_in(slot)]);
  }

  // In the order in which they were seen first.
  const StableVector<Count>& all() const { return counts_; }

 private:
  static constexpr std::size_t initial_slots = std::size_t{1} << 10;
  static constexpr std::uint64_t empty = ~std::uint64_t{0};

  // A slot holds the upper half of a hash, and which count it is.
  static constexpr std::uint64_t index_bits = ~std::uint32_t{0};
  static std::size_t index_in(std::uint64_t slot) { return slot & index_bits; }
  static std::uint64_t tag_of(std::uint64_t hash_or_slot) { return hash_or_slot & ~index_bits; }

  static std::uint64_t hash_of(std::uint32_t callchain, std::uint32_t leaf) {
    return mix((std::uint64_t{callchain} << 32 | leaf) ^ odd_1, odd_2);
  }
  std::size_t mask() const { return slots_.size() - 1; }

  Count& find_or_insert(std::uint32_t callchain, std::uint32_t leaf) {
    const std::uint64_t hash = hash_of(callchain, leaf);
    for (std::size_t place = hash & mask(); slots_[place] != empty; place = (place + 1) & mask()) {
      if (tag_of(slots_[place]) != tag_of(hash)) continue;
      Count& count = counts_[index_in(slots_[place])];
      if (count.callchain == callchain && count.leaf == leaf) return count;
    }
    if (counts_.size() >= slots_.size() / 3 * 2) grow();
    take_slot(hash, counts_.size());
    return counts_.push_back({.callchain = callchain, .leaf = leaf});
  }

  void take_slot(std::uint64_t hash, std::size_t index) {
    std::size_t place = hash & mask();
    while (slots_[place] != empty) place = (place + 1) & mask();
    slots_[place] = tag_of(hash) | index;
  }

  void grow() {
    slots_.assign(slots_.size() * 4, empty);
    for (std::size_t i = 0; i < counts_.size(); ++i) take_slot(hash_of(counts_[i].callchain, counts_[i].leaf), i);
  }

  LargeVector<std::uint64_t> slots_;
  StableVector<Count> counts_;
};

}  // namespace perfsift::tools
