#include "analysis/selection/leaf_table.h"

#include <span>

#include "analysis/profile/ranked_frames.h"
#include "analysis/profile/ranked_stack.h"

namespace perfsift::analysis {
namespace {

struct StackKey {
  std::uint64_t node_and_rank = 0;
  std::uint32_t stack = 0;
  FrameId frame = 0;
};

bool same_line(const FrameTable& frames, FrameId a, FrameId b) {
  return frames.origin(a).file == frames.origin(b).file && frames.origin(a).line == frames.origin(b).line;
}

}  // namespace

LeafTable::LeafTable(const CallTree& tree) : tree_(&tree), leaves_(1), of_stack_(tree.profile().stack_count()) {
  const Profile& profile = tree.profile();
  const RankedFrames ranks(profile.frames(), StackOrder::tree);
  LargeVector<StackKey> stacks, scratch;
  stacks.reserve(of_stack_.size());
  for (const StackList& list : profile.lists()) {
    for (const StackList::Entry& entry : list.entries()) {
      const auto stack = static_cast<std::uint32_t>(stacks.size());
      stacks.push_back({.node_and_rank = std::uint64_t{tree.node_of(stack)} << 32 | ranks.leaf(entry.leaf),
                        .stack = stack,
                        .frame = entry.leaf});
    }
  }
  scratch.resize(stacks.size());
  if (!stacks.empty()) radix_sort(std::span(stacks), std::span(scratch), &StackKey::node_and_rank);
  for (const StackKey& key : stacks) {
    const auto node = static_cast<CallTree::Node>(key.node_and_rank >> 32);
    const Leaf& last = leaves_.back();
    const bool again =
        last.frame != Leaf::no_frame && last.node == node && same_line(profile.frames(), last.frame, key.frame);
    if (!again) leaves_.push_back({.node = node, .frame = key.frame});
    of_stack_[key.stack] = size() - 1;
  }
}

}  // namespace perfsift::analysis
