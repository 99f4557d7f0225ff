// Copies of a thread's stack from earlier samples.
//
// A sample copies only some kilobytes of a stack, so the outer frames of a deep one are not in it. They rarely change:
// an earlier, shallower sample of the same thread has often copied them.
//
//   earlier sample            |--------------|
//   later, deeper sample  |--------|
//   known after both      |--------|---------|      the newest of each place
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "symbolize/unwind/unwinder.h"

namespace perfsift::symbolize {

// The stack of one thread. Keeps at most max_bytes of copies, and forgets the oldest first. Not thread-safe.
class StackMemory : public OtherStack {
 public:
  explicit StackMemory(std::size_t max_bytes) : max_bytes_(max_bytes) {}

  // Adds a sample's stack, from the stack pointer upwards; samples must come in the order of their times. Memory below
  // the stack pointer is forgotten: the thread has returned from there, and other calls will overwrite it.
  void remember(std::uint64_t stack_pointer, Bytes stack);
  std::optional<std::uint64_t> read(std::uint64_t address, unsigned size) const override;

  std::size_t bytes() const { return bytes_; }

 private:
  struct Piece {
    std::vector<std::byte> bytes;
    std::uint64_t learnt = 0;  // by which sample
  };

  void forget_below(std::uint64_t end);
  void forget_oldest();

  std::size_t max_bytes_;
  std::size_t bytes_ = 0;  // in all pieces
  std::uint64_t samples_ = 0;
  std::map<std::uint64_t, Piece> pieces_;  // by address, without overlaps
};

}  // namespace perfsift::symbolize
