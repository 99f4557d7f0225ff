// Where the stacks of a profile end: in a node of a tree, at a line of the source.
//
// The tree of a page has a node for a function below its callers, whatever the lines of the frames; the lines that ran
// are kept here.
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

// Immutable. The tree must live longer.
class LeafTable {
 public:
  // The leaf of stacks without frames.
  static constexpr LeafId frameless = 0;

  explicit LeafTable(const CallTree& tree);

  const CallTree& tree() const { return *tree_; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(leaves_.size()); }
  // Leaves are in the order of their nodes, and those of a node in the order of their lines.
  const Leaf& operator[](LeafId leaf) const { return leaves_[leaf]; }
  // Of a stack of the profile, by its number, or SampleRow::no_stack.
  LeafId of_stack(std::uint32_t stack) const { return stack < of_stack_.size() ? of_stack_[stack] : frameless; }

 private:
  const CallTree* tree_;
  LargeVector<Leaf> leaves_;
  LargeVector<LeafId> of_stack_;
};

}  // namespace perfsift::analysis
