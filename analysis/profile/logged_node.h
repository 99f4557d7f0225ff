// Where logged samples end in a tree.
#pragma once

#include <cstdint>

#include "analysis/profile/call_tree.h"
#include "analysis/profile/sample_log.h"

namespace perfsift::analysis {

// The node where the stack of a logged sample ends; the root for LoggedSample::no_stack.
inline CallTree::Node node_of_logged(const CallTree& tree, std::uint32_t stack) {
  return stack == LoggedSample::no_stack ? CallTree::root : tree.node_of(stack);
}

}  // namespace perfsift::analysis
