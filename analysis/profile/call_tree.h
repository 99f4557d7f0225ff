// The stacks of a profile as a tree: the contents of a flame graph.
//
// A node is a frame below its callers. Equal callers share nodes. Nodes are numbered so that a subtree is a range of
// numbers: a node comes before its children, and children are in the order of FrameTable::compare().
//
//   stacks           node   frame  parent  end
//   a;b;c   5        0      root           5
//   a;b     2        1      a      0       4
//   a;d     3        2      b      1       4     end: the first number behind the subtree
//   e       1        3      c      2       4
//                    …
//
// The shape of the tree does not depend on amounts. Amounts are separate: the amounts of the profile, or of the samples
// of a time range, a thread, or another recording. The total of a node is the difference of two running sums, so a
// query over a million samples takes some milliseconds.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/profile/amount.h"
#include "analysis/profile/profile.h"
#include "base/large_vector.h"

namespace perfsift::analysis {

class RankedFrames;

// How stacks become a tree.
struct TreeShape {
  bool reversed = false;         // from the leaf to the root: the children of a function are its callers
  bool without_threads = false;  // without the frames of threads and control groups
  bool event_frames = true;      // the event is the first frame; otherwise stacks of all events are in one tree
  bool by_function = false;      // frames of one function are one node: see FrameTable::same_function()
};

class CallTree {
 public:
  using Node = std::uint32_t;
  static constexpr Node root = 0;

  // The tree of all stacks of the profile. The profile must live longer, and nothing may be added to it.
  CallTree(const Profile& profile, const TreeShape& shape, unsigned threads);
  // The tree of all stacks, without frames of events. Frames of equal rank are one node, and children are in the order
  // of ranks.
  CallTree(const Profile& profile, unsigned threads, const RankedFrames& ranks);

  const Profile& profile() const { return *profile_; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(nodes_.size()); }
  // The frame of a node other than the root. With TreeShape::by_function, the first frame of the function.
  FrameId frame(Node node) const { return nodes_[node].frame; }
  Node parent(Node node) const { return nodes_[node].parent; }
  // The first node behind the subtree.
  Node end(Node node) const { return nodes_[node].end; }
  // 0 for the root.
  std::uint32_t depth(Node node) const { return nodes_[node].depth; }
  // The first child is node + 1, if node + 1 is below end(node). Each further child begins at the end of the child
  // before.
  //
  // The node where a stack of the profile ends. `stack`: its number in the profile.
  Node node_of(std::uint32_t stack) const { return node_of_stack_[stack]; }

 private:
  struct NodeData {
    FrameId frame = 0;
    Node parent = root;
    Node end = 0;
    std::uint32_t depth = 0;
  };
  struct Piece;

  // `shaped`: the profile itself, or its stacks in another shape.
  void build(const Profile& shaped, bool event_frames, const RankedFrames& ranks, unsigned threads);
  template <typename Sorted>
  static void fill(Piece& piece, std::span<const Sorted> sorted, const RankedFrames& ranks);
  void append(const Piece& piece, std::vector<Node>& path);

  const Profile* profile_;
  LargeVector<NodeData> nodes_;
  LargeVector<Node> node_of_stack_;
};

// Amounts by node of a tree. Immutable, so thread-safe.
class TreeAmounts {
 public:
  // The amounts of all stacks of the tree's profile.
  explicit TreeAmounts(const CallTree& tree);
  // `by_node`: the amounts of the stacks that end in each node.
  TreeAmounts(const CallTree& tree, std::span<const Amount> by_node);

  const CallTree& tree() const { return *tree_; }
  // The amount of the stacks that end in the node.
  Amount self(CallTree::Node node) const { return difference(node, node + 1); }
  // The amount of the stacks that pass through the node.
  Amount total(CallTree::Node node) const { return difference(node, tree_->end(node)); }

 private:
  Amount difference(std::uint32_t from, std::uint32_t to) const {
    Amount amount = sums_[to];
    return amount -= sums_[from];
  }

  const CallTree* tree_;
  LargeVector<Amount> sums_;  // by node: the sum over all lower nodes
};

}  // namespace perfsift::analysis
