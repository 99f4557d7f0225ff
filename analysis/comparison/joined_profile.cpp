#include "analysis/comparison/joined_profile.h"

#include <optional>
#include <string>
#include <vector>

#include "base/large_vector.h"

namespace perfsift::analysis {

JoinedProfile::JoinedProfile(const Profile& before, const Profile& after, SameFrame same, FunctionNames names) {
  add(before, {.first = 0, .end = before.lists().size()}, same, names);
  add(after, {.first = 0, .end = after.lists().size()}, same, names);
}

JoinedProfile::JoinedProfile(const Profile& both, const Lists& before, const Lists& after, SameFrame same,
                             FunctionNames names) {
  add(both, before, same, names);
  add(both, after, same, names);
}

void JoinedProfile::add(const Profile& side, const Lists& lists, SameFrame same, FunctionNames names) {
  const FrameTable& frames = side.frames();
  std::vector<std::optional<FrameId>> known(frames.size());
  const auto joined = [&](FrameId frame) {
    if (known[frame]) return *known[frame];
    FrameOrigin origin;
    if (same == SameFrame::name_and_binary) {
      origin.kind = frames.origin(frame).kind;
      origin.unnamed = frames.origin(frame).unnamed;
      const std::string_view binary = binary_name_of(frames, frame, names);
      if (!binary.empty()) origin.binary = profile_.frames().binary({.path = std::string(binary), .build_id = {}});
    }
    known[frame] = profile_.frames().intern(name_of(frames, frame, names), origin);
    return *known[frame];
  };

  StackList& into = profile_.new_list();
  std::vector<FrameId> stack;
  for (std::size_t number = lists.first; number < lists.end; ++number) {
    const StackList& list = side.lists()[number];
    into.add_frameless(list.frameless());
    for (const StackList::Entry& entry : list.entries()) {
      side.get_frames(entry, stack);
      for (FrameId& frame : stack) frame = joined(frame);
      into.add(profile_.event_from(side, side.callers(entry.callers).event), stack, entry.amount);
    }
  }
}

TreeAmounts JoinedProfile::amounts(const CallTree& tree, Side side) const {
  const std::size_t number = side == Side::before ? 0 : 1;
  LargeVector<Amount> by_node(tree.size());
  std::uint32_t stack = profile_.first_stack(number);
  by_node[CallTree::root] += profile_.lists()[number].frameless();
  for (const StackList::Entry& entry : profile_.lists()[number].entries()) {
    by_node[tree.node_of(stack++)] += entry.amount;
  }
  return TreeAmounts(tree, by_node);
}

}  // namespace perfsift::analysis
