// The samples of a thread added up where they agree in all but their times.
//
// A million rows are 40 MB of new memory, which is read several times later. Outputs without times need
// some ten thousand sums instead. Samples wait in a batch that stays in the processor's cache, and are added up
// together, so that the memory of the sums of a whole batch is asked for before it is used.
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
  std::uint32_t count = 0;  // of a sum: the index of the LeafCount of its stack, which the user of the sums finds
  Amount amount;
};

// Not thread-safe.
class ContextSums {
 public:
  ContextSums() { batch_.reserve(batch_size); }

  bool is_full() const { return batch_.size() == batch_size; }
  // Adds a sample, as a sum of one. Must not be called while is_full(). The sample keeps its address until add_up(),
  // and its callchain may be set until then.
  ContextSum& add(const ContextSum& sample) { return batch_.emplace_back(sample); }
  void add_up();

  // Of all samples before the last add_up(), in the order in which they were first seen.
  StableVector<ContextSum>& all() { return sums_; }
  const StableVector<ContextSum>& all() const { return sums_; }

 private:
  static constexpr std::size_t batch_size = 512;

  std::vector<ContextSum> batch_;
  std::vector<std::uint64_t> hashes_;  // of the batch
  IndexTable table_;
  StableVector<ContextSum> sums_;
};

}  // namespace perfsift::analysis
