// The location ids of stacks, as bytes of a pprof profile.
//
// Consecutive stacks of the tree share most callers, and callers are the end of the bytes. So only the ids of the other
// frames are encoded again.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "output/pprof/locations.h"

namespace perfsift::output {

// Not thread-safe. The locations must live longer.
class StackIds {
 public:
  explicit StackIds(const Locations& locations) : locations_(locations) {}

  // The ids of the stack that ends in a node, leaf first, each as a varint. Valid until the next call.
  std::string_view of(analysis::CallTree::Node node);

 private:
  // A node of the last stack.
  struct Step {
    analysis::CallTree::Node node = analysis::CallTree::root;
    std::size_t size = 0;  // the number of bytes from this node to the end
  };

  void prepend(std::string_view bytes, std::size_t behind);

  const Locations& locations_;
  std::vector<Step> path_;  // from the outermost location
  std::vector<analysis::CallTree::Node> more_;
  std::string bytes_;  // the last stack's bytes are at the end
};

}  // namespace perfsift::output
