// Numbers for stacks: equal stacks have equal numbers. A filter caches its answers by these numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

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
  StackNumbers() : slots_(initial_slots) {}

  // The number of a stack. Numbers start at 0 and have no gaps. `words` must outlive this object. Returns nothing for a
  // new stack when the table is full.
  std::optional<std::uint32_t> of(const StackContext& context, reader::Words words);

 private:
  struct NumberedStack {
    std::uint64_t hash;
    reader::Words words;
    StackContext context;
  };
  static constexpr std::size_t initial_slots = std::size_t{1} << 12;
  static constexpr std::size_t most_stacks = std::size_t{1} << 20;

  std::uint32_t& slot_of(std::uint64_t hash, const StackContext& context, reader::Words words);
  void grow();

  std::vector<NumberedStack> stacks_;
  std::vector<std::uint32_t> slots_;  // a stack's number plus 1, at the slot of its hash or a later slot; 0: free
};

}  // namespace perfsift::analysis
