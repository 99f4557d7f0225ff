// The part of a call tree that is shown as lines.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "analysis/profile/call_tree.h"

namespace perfsift::analysis {

struct TreeLimits {
  double min_percent = 0.5;  // percent of all samples of the event; smaller nodes are left out
  std::uint32_t depth = 0;   // levels below the top; 0: all
  bool operator==(const TreeLimits&) const = default;
};

// A shown node. The total is the sum of self, the shown children and the left-out children.
struct TreeLine {
  static constexpr std::uint32_t no_parent = ~std::uint32_t{0};

  CallTree::Node node = CallTree::root;
  std::uint32_t parent = no_parent;  // index of a line
  std::uint32_t depth = 1;
  Amount self, total;
  bool last = false;           // the last shown child of its parent, without a line for left-out children
  std::uint32_t shown = 0;     // number of shown children
  std::uint32_t left_out = 0;  // number of left-out children
  Amount of_left_out;          // the sum of the left-out children
};

// The shown nodes of one event.
struct EventTree {
  std::string_view event;
  Amount all;  // the amount of the event, which is 100 percent
  // Children follow their parent, the largest first. Children with equal amounts are sorted by name.
  std::vector<TreeLine> lines;
  // The number of the event's children that are left out.
  std::uint32_t left_out = 0;
  Amount of_left_out;
};

// The trees of all events of a tree with TreeShape::event_frames, in the order of their names. `whole`: the profile
// whose events are 100 percent. The tree may contain only a part of its stacks.
std::vector<EventTree> shown_trees(const TreeAmounts& amounts, const Profile& whole, const TreeLimits& limits);

}  // namespace perfsift::analysis
