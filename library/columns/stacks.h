// The stacks of columns: pairs of a leaf and its callers, which many stacks share. All threads share a table of
// callers, so that each callchain is named once.
#pragma once

#include <cstdint>
#include <list>
#include <memory_resource>
#include <mutex>
#include <span>
#include <vector>

#include "analysis/collect/callchain_table.h"
#include "analysis/samples/call_stack.h"
#include "analysis/samples/stack_namer.h"
#include "base/large_vector.h"
#include "library/naming.h"
#include "reader/recording.h"

namespace perfsift::v0::detail {

// The hash of a sequence of frames. Sequences with equal hashes are taken for equal: see CallchainTable.
struct FramesHash {
  std::uint64_t place = 0, check = 0;
  // The hash of the sequence with one more frame, or several, innermost first, at its inner end.
  FramesHash with(analysis::FrameId frame) const;
  FramesHash with(std::span<const analysis::FrameId> frames) const;
  bool operator==(const FramesHash&) const = default;
};

// The stacks of all threads. The naming must live longer.
class Stacks {
 public:
  class Collector;

  Stacks(Naming& naming, unsigned threads);
  ~Stacks();

  // Thread-safe. The collector lives as long as this object.
  Collector& new_collector();

  // --- once all threads have collected all samples ---

  // Stacks of all threads, which come one after the other. Equal stacks may have several numbers.
  std::uint32_t size() const { return static_cast<std::uint32_t>(hashes_.size()); }
  // The first number of each thread's stacks.
  const std::vector<std::uint32_t>& first_numbers() const { return first_numbers_; }
  // Computes the above.
  void finish(unsigned workers);

  const FramesHash& hash(std::uint32_t stack) const { return hashes_[stack]; }
  // Calls frame(FrameId) for the frames of a stack, leaf first.
  template <typename Callback>
  void for_each_frame(std::uint32_t stack, Callback&& frame) const {
    const Pair& pair = pairs_[stack];
    if (pair.leaf < analysis::FrameNamer::Named::groups) {
      frame(pair.leaf);
    } else {
      for (const analysis::FrameId id : names_->namer().group(pair.leaf)) frame(id);
    }
    for (const analysis::FrameId id : callers_[pair.callchain].frames) frame(id);
  }
  Naming::Names& names() const { return *names_; }

 private:
  struct Pair {
    std::uint32_t callchain = 0;  // its number in callchains_
    std::uint32_t leaf = 0;       // see analysis::FrameNamer::Named::frame
  };
  // The frames of a callchain.
  struct Callers {
    std::span<const analysis::FrameId> frames;  // innermost first
    FramesHash hash;
  };

  FramesHash hash_of(const Pair& pair) const;

  Naming& naming_;
  const Naming::Lease names_;
  analysis::CallchainTable callchains_;
  std::mutex mutex_;
  std::list<Collector> collectors_;
  std::vector<std::uint32_t> first_numbers_;
  LargeVector<Callers> callers_;  // by the number of the callchain
  UnsetVector<Pair> pairs_;       // by the number of the stack
  UnsetVector<FramesHash> hashes_;
};

// One thread's stacks. Not thread-safe.
class Stacks::Collector {
 public:
  explicit Collector(Stacks& owner);

  // Adds the stack of a sample of the thread. Returns the number of samples with stacks before, or Columns::no_stack.
  std::uint32_t add(const reader::ThreadState& thread, const analysis::CallStack::Stack& stack,
                    std::uint32_t code_version);
  // Must be called after the last sample, on the same thread.
  void finish();

  // The stack of the sample for which add() returned the number: counted from the first of this thread.
  std::uint32_t stack_of(std::uint32_t sample) const {
    const auto count = analysis::CountId::of(counted_[sample]);
    return count.first != 0 ? count.index : first_counts() + count.index;
  }
  std::uint32_t size() const { return first_counts() + static_cast<std::uint32_t>(counter_.other_counts().size()); }

 private:
  friend class Stacks;

  void name_new_callers();
  Callers name(const analysis::KnownCallchain& callchain);
  std::uint32_t first_counts() const { return static_cast<std::uint32_t>(counter_.first_counts().size()); }

  Naming::Names& names_;
  analysis::CallchainTable::Counter& counter_;
  analysis::StackNamer namer_;
  StableVector<std::uint32_t> counted_;  // by sample: analysis::CountId
  StableVector<Callers> named_;          // one for each of counter_.callchains()
  std::vector<analysis::FrameId> frames_;
  std::pmr::monotonic_buffer_resource memory_{huge_pages()};
};

}  // namespace perfsift::v0::detail
