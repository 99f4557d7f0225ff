// Frames numbered by an order. Comparing two stacks rank by rank compares them in that order.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/samples/frame_table.h"

namespace perfsift::analysis {

enum class StackOrder : std::uint8_t {
  // The bytewise order of lines of folded text. Every frame has two ranks: one for its text followed by ';' (inside a
  // stack), and one for its text alone (as the leaf). No text contains ';'. Frames with the same text are equal.
  lines,
  // The order of a call tree: the stacks that begin with the same frames follow the stack that has only these frames.
  // Frames are in the order of FrameTable::compare().
  tree,
  // The order of a call tree in which all frames of a function are equal.
  functions,
};

// Immutable, so thread-safe.
class RankedFrames {
 public:
  RankedFrames(const FrameTable& frames, StackOrder order);
  // Equal frames have the same number, and the numbers are in the order of the frames, without gaps. Frames with the
  // number `unused` are in no stack.
  static constexpr std::uint32_t unused = ~std::uint32_t{0};
  explicit RankedFrames(std::span<const std::uint32_t> numbers);

  // The ranks of a frame. No frame has rank 0: this rank is less than every frame, and fills the end of short stacks.
  std::uint32_t inner(FrameId frame) const { return inner_[frame]; }
  std::uint32_t leaf(FrameId frame) const { return leaf_[frame]; }
  // One more than the highest rank.
  std::uint32_t count() const { return static_cast<std::uint32_t>(frames_.size()); }
  // The first frame with this rank, which must not be 0.
  FrameId frame(std::uint32_t rank) const { return frames_[rank]; }

 private:
  void rank_lines(const FrameTable& frames);
  void rank_tree(const FrameTable& frames, bool by_function);

  std::vector<std::uint32_t> inner_, leaf_;
  std::vector<FrameId> frames_;  // by rank
};

}  // namespace perfsift::analysis
