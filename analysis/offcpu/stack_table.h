// The distinct stacks of a recording, as the numbers they are: they get names when somebody asks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <vector>

#include "analysis/offcpu/sched_event.h"
#include "base/large_vector.h"
#include "base/stable_vector.h"
#include "reader/format/sample.h"
#include "reader/timeline/timeline.h"

namespace perfsift::offcpu {

// Whose stack it is: what decides about the names of its frames, and the thread's own; and what its words do not tell.
struct StackOwner {
  reader::NameId comm = 0;
  std::int32_t tid = 0;  // where it has no comm, as its number is shown then
  reader::MapsVersion maps = 0;
  reader::MapsVersion kernel_maps = 0;
  std::uint32_t code_version = 0;  // see CodeVersions
  reader::CpuMode mode = reader::CpuMode::unknown;
  bool truncated = false;  // it goes on where its words end
  bool operator==(const StackOwner&) const = default;
};

// Not thread-safe.
class StackTable {
 public:
  StackTable() { forget(); }

  // The number of a stack, never no_stack. `lasting`: its words stay where they are as long as the table. `guess`: the
  // number it is likely to have, as a thread often waits where it waited last; no_stack for no idea.
  StackId intern(const StackOwner& owner, reader::Words words, bool lasting, StackId guess = no_stack);

  // Good for as long as the table, or until forget().
  const StackOwner& owner(StackId id) const { return (*stacks_)[id - 1].owner; }
  reader::Words words(StackId id) const { return (*stacks_)[id - 1].words(); }
  std::size_t size() const { return stacks_->size(); }

  // Begins anew, with no stack at all.
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
