// The place of a row's stack in a tree.
#pragma once

#include <cstdint>

#include "analysis/profile/call_tree.h"
#include "analysis/table/sample_row.h"

namespace perfsift::analysis {

// The node where the stack of a row ends. The root for SampleRow::no_stack.
inline CallTree::Node node_of_stack(const CallTree& tree, std::uint32_t stack) {
  return stack == SampleRow::no_stack ? CallTree::root : tree.node_of(stack);
}

}  // namespace perfsift::analysis
