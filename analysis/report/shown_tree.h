// The part of a call tree that is worth a line.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "analysis/profile/call_tree.h"

namespace perfsift::analysis {

struct TreeLimits {
  double min_percent = 0.5;  // of all samples of the event; nodes with less are left out
  std::uint32_t depth = 0;   // levels below the top; 0: all
  bool operator==(const TreeLimits&) const = default;
};

// A shown node. What self and the shown children do not make up of the total is in children that are left out.
struct TreeLine {
  static constexpr std::uint32_t no_parent = ~std::uint32_t{0};

  CallTree::Node node = CallTree::root;
  std::uint32_t parent = no_parent;  // index of a line
  std::uint32_t depth = 1;
  Amount self, total;
  bool last = false;           // of the shown children of its parent, without a line for children left out
  std::uint32_t shown = 0;     // children
  std::uint32_t left_out = 0;  // children
  Amount of_left_out;          // what these add up to
};

// The shown nodes of one event.
struct EventTree {
  std::string_view event;
  Amount all;  // of the event: what 100 percent is
  // Children follow their parent, the largest first; children with equal amounts are in the order of their names.
  std::vector<TreeLine> lines;
  // Children of the event that are left out.
  std::uint32_t left_out = 0;
  Amount of_left_out;
};

// The trees of all events of a tree with TreeShape::event_frames, in the order of their names. `whole`: the profile
// whose events are 100 percent; the tree may be of a part of its stacks.
std::vector<EventTree> shown_trees(const TreeAmounts& amounts, const Profile& whole, const TreeLimits& limits);

}  // namespace perfsift::analysis
