// Assembles the frames of one sample into the stack that is counted, in the same way for every kind of input.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/samples/frame_table.h"

namespace perfsift::analysis {

// Which parts of a stack are kept.
enum class StackPart : std::uint8_t { all, kernel_only, user_only };

// Which recursion is taken out of stacks, once all are complete: see collapse_recursion().
enum class Recursion : std::uint8_t {
  kept,
  direct,  // calls of a function by itself
  cycles,  // and what a function calls until it is called again
};

struct StackShape {
  StackPart part = StackPart::all;
  std::size_t max_depth = 0;  // frames kept, counted from the root, without thread and control group; 0: all
  Recursion recursion = Recursion::kept;
  std::optional<std::string> delimiter;  // a frame between the user and the kernel part of a stack with both
  bool operator==(const StackShape&) const = default;
};

// Not thread-safe.
class StackBuilder {
 public:
  StackBuilder(const StackShape& shape, FrameTable& frames) : shape_(shape) {
    // Recursion is taken out before stacks are cut.
    if (shape.recursion != Recursion::kept) shape_.max_depth = 0;
    if (shape.delimiter) delimiter_ = frames.intern(foldable(*shape.delimiter));
  }

  // Starts a new stack. `kernel`: the frames before the first added frame were kernel frames.
  void begin(bool kernel = false) {
    frames_.clear();
    any_kernel_ = kernel;
  }

  bool wants(bool kernel) const {
    return shape_.part == StackPart::all || (shape_.part == StackPart::kernel_only) == kernel;
  }

  // Adds the next frames, from the leaf to the root. The caller adds only frames for which wants() is true.
  void add(std::span<const FrameId> frames, bool kernel) {
    if (delimiter_ && any_kernel_ && !kernel) frames_.push_back(*delimiter_);
    any_kernel_ = kernel;
    frames_.insert(frames_.end(), frames.begin(), frames.end());
  }
  void add(FrameId frame, bool kernel) { add({&frame, 1}, kernel); }

  // Whether only one part is kept and the sample has no frames of this part.
  bool nothing_of_part() const { return frames_.empty() && shape_.part != StackPart::all; }

  // How many more frames fit at the leaf end.
  std::uint32_t room() const {
    if (shape_.max_depth == 0) return std::numeric_limits<std::uint32_t>::max();
    return static_cast<std::uint32_t>(shape_.max_depth - std::min(shape_.max_depth, frames_.size()));
  }

  // The stack, root first. The control group and the thread's name, if given, are the outermost frames. Valid until
  // begin().
  std::span<const FrameId> finish(std::optional<FrameId> comm, std::optional<FrameId> cgroup = std::nullopt) {
    if (shape_.max_depth != 0 && frames_.size() > shape_.max_depth) {
      frames_.erase(frames_.begin(), frames_.end() - static_cast<std::ptrdiff_t>(shape_.max_depth));
    }
    if (comm) frames_.push_back(*comm);
    if (cgroup) frames_.push_back(*cgroup);
    std::ranges::reverse(frames_);
    return frames_;
  }

 private:
  StackShape shape_;
  std::optional<FrameId> delimiter_;
  std::vector<FrameId> frames_;
  bool any_kernel_ = false;  // the last added frame was a kernel frame
};

}  // namespace perfsift::analysis
