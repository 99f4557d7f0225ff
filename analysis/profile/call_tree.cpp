#include "analysis/profile/call_tree.h"

#include <algorithm>
#include <type_traits>

#include "analysis/profile/ranked_frames.h"
#include "analysis/profile/sorted_stacks.h"

namespace perfsift::analysis {
namespace {

bool names_a_thread(const FrameTable& frames, FrameId frame) {
  const FrameKind kind = frames.origin(frame).kind;
  return kind == FrameKind::thread || kind == FrameKind::cgroup;
}

// Adds the stacks of `profile` to `shaped` in another shape. The order of the stacks stays, and frames belong to
// `profile`.
void reshape(const Profile& profile, const TreeShape& shape, Profile& shaped) {
  std::vector<FrameId> frames;
  for (const StackList& list : profile.lists()) {
    StackList& into = shaped.new_list();
    for (const StackList::Entry& entry : list.entries()) {
      profile.get_frames(entry, frames);
      // A stack that consists of its thread only keeps the thread.
      if (shape.without_threads && !names_a_thread(profile.frames(), entry.leaf)) {
        std::erase_if(frames, [&](FrameId frame) { return names_a_thread(profile.frames(), frame); });
      }
      if (shape.reversed) std::ranges::reverse(frames);
      const EventId event = profile.callers(entry.callers).event;
      if (shape.event_frames) frames.insert(frames.begin(), profile.event_frame(event));
      into.add(event, frames, entry.amount);
    }
  }
}

}  // namespace

// The nodes of a range of sorted stacks, in order. The frames of the first stack come first, from the root.
struct CallTree::Piece {
  struct Step {
    FrameId frame = 0;
    std::uint32_t depth = 0;  // 1 for the first frame
  };
  struct End {
    std::uint32_t stack = 0;
    std::uint32_t step = 0;  // where the stack ends
  };
  std::vector<Step> steps;
  std::vector<End> ends;
};

CallTree::CallTree(const Profile& profile, const TreeShape& shape, unsigned threads)
    : profile_(&profile), nodes_(1), node_of_stack_(profile.stack_count(), root) {
  const RankedFrames ranks(profile.frames(), shape.by_function ? StackOrder::functions : StackOrder::tree);
  if (shape.reversed || shape.without_threads) {
    Profile shaped;
    reshape(profile, shape, shaped);
    build(shaped, false, ranks, threads);
  } else {
    build(profile, shape.event_frames, ranks, threads);
  }
}

CallTree::CallTree(const Profile& profile, unsigned threads, const RankedFrames& ranks)
    : profile_(&profile), nodes_(1), node_of_stack_(profile.stack_count(), root) {
  build(profile, false, ranks, threads);
}

void CallTree::build(const Profile& shaped, bool event_frames, const RankedFrames& ranks, unsigned threads) {
  with_sorted_stacks(shaped, event_frames, ranks, threads, [&](const auto& stacks) {
    std::vector<Piece> pieces(stacks.ranges());
    stacks.for_each_range([&](std::size_t range) {
      typename std::remove_cvref_t<decltype(stacks)>::Sorter sorter;
      fill(pieces[range], stacks.sort(range, sorter), ranks);
    });
    std::size_t steps = 1;
    for (const Piece& piece : pieces) steps += piece.steps.size();
    nodes_.reserve(steps);
    std::vector<Node> path;
    for (const Piece& piece : pieces) append(piece, path);
    for (const Node open : path) nodes_[open].end = size();
    nodes_[root].end = size();
  });
}

template <typename Sorted>
void CallTree::fill(Piece& piece, std::span<const Sorted> sorted, const RankedFrames& ranks) {
  decltype(Sorted::stack) before = nullptr;
  for (const auto& [stack, again] : sorted) {
    if (!again) {
      for (std::uint32_t i = before != nullptr ? before->common(*stack) : 0; i < stack->depth; ++i) {
        piece.steps.push_back({.frame = ranks.frame(stack->rank(i)), .depth = i + 1});
      }
      before = stack;
    }
    piece.ends.push_back({.stack = stack->number, .step = static_cast<std::uint32_t>(piece.steps.size() - 1)});
  }
}

// `path`: the nodes of the last appended stack, from its first frame.
void CallTree::append(const Piece& piece, std::vector<Node>& path) {
  std::uint32_t shared = 0;  // leading steps that are already on the path
  while (shared < piece.steps.size() && shared < path.size() && piece.steps[shared].depth == shared + 1 &&
         piece.steps[shared].frame == frame(path[shared])) {
    ++shared;
  }
  const std::vector<Node> old_path(path.begin(), path.begin() + shared);
  const Node first = size();
  for (const Piece::Step& step : std::span(piece.steps).subspan(shared)) {
    for (; path.size() >= step.depth; path.pop_back()) nodes_[path.back()].end = size();
    const Node parent = path.empty() ? root : path.back();
    path.push_back(size());
    nodes_.push_back({.frame = step.frame, .parent = parent, .depth = step.depth});
  }
  for (const Piece::End& end : piece.ends) {
    node_of_stack_[end.stack] = end.step < shared ? old_path[end.step] : first + (end.step - shared);
  }
}

TreeAmounts::TreeAmounts(const CallTree& tree) : tree_(&tree) {
  LargeVector<Amount> by_node(tree.size());
  std::uint32_t stack = 0;
  for (const StackList& list : tree.profile().lists()) {
    by_node[CallTree::root] += list.frameless();
    for (const StackList::Entry& entry : list.entries()) by_node[tree.node_of(stack++)] += entry.amount;
  }
  *this = TreeAmounts(tree, by_node);
}

TreeAmounts::TreeAmounts(const CallTree& tree, std::span<const Amount> by_node) : tree_(&tree) {
  sums_.reserve(tree.size() + 1);
  Amount sum;
  for (const Amount& amount : by_node) {
    sums_.push_back(sum);
    sum += amount;
  }
  sums_.push_back(sum);
}

}  // namespace perfsift::analysis
