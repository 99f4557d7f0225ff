// The content of a picture, before the picture is drawn: nodes in preorder, with what is drawn of each.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "analysis/profile/amount.h"
#include "analysis/samples/frame_table.h"
#include "base/large_vector.h"
#include "output/flame/flame.h"

namespace perfsift::output {

// The name that is shown for a frame. Marks of wakers (_[w]) choose a colour; flamegraph.pl does not show them either.
inline std::string_view shown_name(std::string_view text) {
  constexpr std::string_view mark = "_[w]";
  return text.ends_with(mark) ? text.substr(0, text.size() - mark.size()) : text;
}

struct PictureNode {
  static constexpr analysis::FrameId no_frame = ~analysis::FrameId{0};  // of the root, and of gaps

  analysis::FrameId frame = no_frame;
  std::uint32_t depth = 0;
  std::uint32_t end = 0;  // the first node behind the subtree
  analysis::Amount self;
};

// The other side of a difference.
struct NodeChange {
  analysis::Amount self_before;
  std::uint8_t colour = 0;  // DifferencePalette::class_of()
};

enum class PictureKind : std::uint8_t {
  graph,    // the root is as wide as the picture
  columns,  // each child of the root gets an equal share of the width: their amounts cannot be added
  lanes,    // each child of the root is as wide as the picture, below the one before
};

struct Picture {
  PictureKind kind = PictureKind::graph;
  const analysis::FrameTable* frames = nullptr;
  LargeVector<PictureNode> nodes;   // [0] is the root
  LargeVector<NodeChange> changes;  // of a difference, by node
  double scale_before = 1;
  bool negated = false;

  bool of_shares = false;  // see FlameDifference
  bool is_difference() const { return !changes.empty(); }
  // The part of the width that belongs to the node's own stacks.
  double weight(std::size_t node) const;
};

// Nodes without an amount are left out. Throws Error if nothing is left.
Picture picture_of(const FlameGraph& graph, const FlameOptions& options);
Picture picture_of(const analysis::StackTimeline& timeline, const analysis::FrameTable& frames);

}  // namespace perfsift::output
