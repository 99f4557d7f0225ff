// Numbers frames by their first use in a call tree, so the numbers do not depend on threads.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/profile/call_tree.h"

namespace perfsift::output {

// Immutable, so thread-safe.
class FrameNumbers {
 public:
  explicit FrameNumbers(const analysis::CallTree& tree) : numbers_(tree.profile().frames().size(), none) {
    for (analysis::CallTree::Node node = 1; node < tree.size(); ++node) {
      std::uint32_t& number = numbers_[tree.frame(node)];
      if (number != none) continue;
      number = static_cast<std::uint32_t>(frames_.size());
      frames_.push_back(tree.frame(node));
    }
  }

  // The frames by number.
  const std::vector<analysis::FrameId>& frames() const { return frames_; }
  std::uint32_t operator[](analysis::FrameId frame) const { return numbers_[frame]; }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  std::vector<std::uint32_t> numbers_;
  std::vector<analysis::FrameId> frames_;
};

}  // namespace perfsift::output
