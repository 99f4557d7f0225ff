// The leaf of each stack of a profile: its node in a tree, and its source line.
//
// The tree of a page has one node for a function below its callers, independent of the lines of the frames. This table
// keeps the lines that ran.
#pragma once

#include <cstdint>

#include "analysis/profile/call_tree.h"
#include "base/large_vector.h"

namespace perfsift::analysis {

using LeafId = std::uint32_t;

struct Leaf {
  static constexpr FrameId no_frame = ~FrameId{0};

  CallTree::Node node = CallTree::root;
  FrameId frame = no_frame;  // the innermost frame, for its file and line; no_frame: a stack without frames
};

// Immutable, so thread-safe. The tree must live longer.
class LeafTable {
 public:
  // The leaf of stacks without frames.
  static constexpr LeafId frameless = 0;

  explicit LeafTable(const CallTree& tree);

  const CallTree& tree() const { return *tree_; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(leaves_.size()); }
  // The leaves are in the order of their nodes. The leaves of a node are in the order of their lines.
  const Leaf& operator[](LeafId leaf) const { return leaves_[leaf]; }
  // The leaf of a stack by its number in the profile, or SampleRow::no_stack.
  LeafId of_stack(std::uint32_t stack) const { return stack < of_stack_.size() ? of_stack_[stack] : frameless; }

 private:
  const CallTree* tree_;
  LargeVector<Leaf> leaves_;
  LargeVector<LeafId> of_stack_;
};

}  // namespace perfsift::analysis
