// Counts how often each leaf occurs on top of each callchain.
#pragma once

#include <cstddef>
#include <cstdint>

#include "analysis/profile/amount.h"
#include "base/hash.h"
#include "base/index_table.h"
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
  // Returns the index of the count in all().
  std::size_t add(std::uint32_t callchain, std::uint32_t leaf, const Amount& amount) {
    const std::size_t index = find_or_insert(callchain, leaf);
    counts_[index].amount += amount;
    return index;
  }

  // Prefetch the memory that add() will use. prefetch_slot() comes first, for all samples of a batch.
  void prefetch_slot(std::uint32_t callchain, std::uint32_t leaf) const { table_.prefetch(hash_of(callchain, leaf)); }
  void prefetch_count(std::uint32_t callchain, std::uint32_t leaf) const {
    if (const auto index = table_.likely(hash_of(callchain, leaf))) __builtin_prefetch(&counts_[*index]);
  }

  // The counts, in the order in which the pairs were first seen.
  const StableVector<LeafCount>& all() const { return counts_; }

 private:
  static std::uint64_t hash_of(std::uint32_t callchain, std::uint32_t leaf) {
    return mix((std::uint64_t{callchain} << 32 | leaf) ^ odd_1, odd_2);
  }

  std::size_t find_or_insert(std::uint32_t callchain, std::uint32_t leaf) {
    const std::uint64_t hash = hash_of(callchain, leaf);
    const auto known = table_.find(hash, [&](std::size_t index) {
      const LeafCount& count = counts_[index];
      return count.callchain == callchain && count.leaf == leaf;
    });
    if (known) return *known;
    table_.add(hash);
    counts_.push_back({.callchain = callchain, .leaf = leaf});
    return counts_.size() - 1;
  }

  IndexTable table_;
  StableVector<LeafCount> counts_;
};

}  // namespace perfsift::analysis
