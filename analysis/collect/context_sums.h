// Sums of a thread's samples that differ only in their times.
//
// A million rows are 40 MB of new memory, which is read several times later. Outputs without times need only some ten
// thousand sums. Samples are collected in a batch that stays in the processor's cache. The sums of a whole batch are
// prefetched before they are changed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "analysis/profile/amount.h"
#include "base/index_table.h"
#include "base/stable_vector.h"

namespace perfsift::analysis {

// Samples of one stack, thread and CPU.
struct ContextSum {
  std::uint32_t callchain = 0;  // number in the CallchainTable
  std::uint32_t leaf = 0;       // the number of the leaf on top of it
  std::uint32_t context = 0;    // index into SampleTable::contexts()
  std::int32_t cpu = -1;
  std::uint32_t event : 24 = 0;
  std::uint32_t mode : 8 = 0;
  std::uint32_t count = 0;  // in a sum: the index of the LeafCount of its stack, which the user of the sums sets
  Amount amount;
};

// Not thread-safe.
class ContextSums {
 public:
  ContextSums() { batch_.reserve(batch_size); }

  bool is_full() const { return batch_.size() == batch_size; }
  // Adds a sample as a sum of one. Must not be called while is_full(). The returned sum keeps its address until
  // add_up(), and its callchain may be set until then.
  ContextSum& add(const ContextSum& sample) { return batch_.emplace_back(sample); }
  void add_up();

  // The sums of all samples before the last add_up(), in the order in which they were first seen.
  StableVector<ContextSum>& all() { return sums_; }
  const StableVector<ContextSum>& all() const { return sums_; }

 private:
  static constexpr std::size_t batch_size = 512;

  std::vector<ContextSum> batch_;
  std::vector<std::uint64_t> hashes_;  // by sample of the batch
  IndexTable table_;
  StableVector<ContextSum> sums_;
};

}  // namespace perfsift::analysis
