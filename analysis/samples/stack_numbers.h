// Numbers for stacks: equal stacks have equal numbers. A filter caches its answers by these numbers.
//
// Stacks count as equal if their 128-bit hashes are equal, as in CallchainTable: comparing their words would mean
// waiting for memory, because the words are spread over the whole recording.
#pragma once

#include <cstdint>
#include <optional>

#include "base/large_vector.h"
#include "reader/format/sample.h"

namespace perfsift::analysis {

// The context that decides what the words of a stack mean.
struct StackContext {
  std::uint32_t maps = 0;  // reader::MapsVersion
  std::uint32_t kernel_maps = 0;
  std::uint32_t code_version = 0;  // see CodeVersions
  reader::CpuMode mode = reader::CpuMode::unknown;
  bool operator==(const StackContext&) const = default;
};

// Not thread-safe.
class StackNumbers {
 public:
  struct Hash {
    std::uint64_t place = 0;  // in the table
    std::uint64_t check = 0;
    bool operator==(const Hash&) const = default;
  };

  StackNumbers() : slots_(initial_slots) {}

  static Hash hash_of(const StackContext& context, reader::Words words);
  // The number of a stack. Numbers start at 0 and have no gaps. Returns nothing for a new stack when the table is full.
  std::optional<std::uint32_t> of(const Hash& hash);
  std::optional<std::uint32_t> of(const StackContext& context, reader::Words words) {
    return of(hash_of(context, words));
  }

 private:
  // A stack, at the place of its hash or behind.
  struct Slot {
    Hash hash;
    std::uint32_t next_number = 0;  // behind the stack's number; 0: free
  };
  static constexpr std::size_t initial_slots = std::size_t{1} << 12;
  static constexpr std::size_t most_stacks = std::size_t{1} << 20;

  Slot& slot_of(const Hash& hash);
  void grow();

  LargeVector<Slot> slots_;
  std::uint32_t count_ = 0;
};

}  // namespace perfsift::analysis
