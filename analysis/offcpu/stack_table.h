// The distinct stacks of a recording, as addresses. Names are looked up only on use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <vector>

#include "analysis/offcpu/sched_event.h"
#include "analysis/samples/stack_tail.h"
#include "base/large_vector.h"
#include "base/stable_vector.h"
#include "reader/format/sample.h"
#include "reader/timeline/timeline.h"

namespace perfsift::offcpu {

// The owner of a stack: all that decides the names of the frames and the thread, and facts that the words do not have.
struct StackOwner {
  reader::NameId comm = 0;
  std::int32_t tid = 0;  // set without a comm, because the tid is shown then
  reader::MapsVersion maps = 0;
  reader::MapsVersion kernel_maps = 0;
  std::uint32_t code_version = 0;  // see CodeVersions
  reader::CpuMode mode = reader::CpuMode::unknown;
  bool truncated = false;  // outer frames are missing
  analysis::StackTail tail = analysis::StackTail::complete;
  bool operator==(const StackOwner&) const = default;
};

// Not thread-safe.
class StackTable {
 public:
  StackTable() { forget(); }

  // The number of a stack, never no_stack. `lasting`: the words live as long as the table. `guess`: the likely number,
  // because a thread often waits on the same stack as last time; no_stack: no guess.
  StackId intern(const StackOwner& owner, reader::Words words, bool lasting, StackId guess = no_stack);

  // Valid as long as the table, or until forget().
  const StackOwner& owner(StackId id) const { return (*stacks_)[id - 1].owner; }
  reader::Words words(StackId id) const { return (*stacks_)[id - 1].words(); }
  std::size_t size() const { return stacks_->size(); }

  // Removes all stacks.
  void forget();

 private:
  static constexpr std::size_t initial_slots = std::size_t{1} << 12;

  struct Stack {
    std::uint64_t hash = 0;
    const Unaligned<std::uint64_t>* first_word = nullptr;
    std::uint32_t word_count = 0;
    StackOwner owner;

    reader::Words words() const { return {first_word, word_count}; }
  };
  struct Slot {
    std::uint32_t tag = 0;
    StackId id = no_stack;
  };

  static bool same(const Stack& stack, const StackOwner& owner, reader::Words words);
  void grow();

  LargeVector<Slot> slots_;
  std::unique_ptr<StableVector<Stack>> stacks_;
  std::pmr::monotonic_buffer_resource copies_{huge_pages()};
};

}  // namespace perfsift::offcpu
