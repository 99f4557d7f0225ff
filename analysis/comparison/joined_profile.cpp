#include "analysis/comparison/joined_profile.h"

#include <optional>
#include <string>
#include <vector>

#include "base/large_vector.h"
#include "base/path.h"

namespace perfsift::analysis {

JoinedProfile::JoinedProfile(const Profile& before, const Profile& after, SameFrame same) {
  add(before, {.first = 0, .end = before.lists().size()}, same);
  add(after, {.first = 0, .end = after.lists().size()}, same);
}

JoinedProfile::JoinedProfile(const Profile& both, const Lists& before, const Lists& after, SameFrame same) {
  add(both, before, same);
  add(both, after, same);
}

void JoinedProfile::add(const Profile& side, const Lists& lists, SameFrame same) {
  const FrameTable& frames = side.frames();
  std::vector<std::optional<FrameId>> known(frames.size());
  const auto joined = [&](FrameId frame) {
    if (known[frame]) return *known[frame];
    FrameOrigin origin;
    if (same == SameFrame::name_and_binary) {
      origin.kind = frames.origin(frame).kind;
      origin.unnamed = frames.origin(frame).unnamed;
      const std::string_view path = frames.binary_of(frame);
      if (!path.empty()) {
        origin.binary = profile_.frames().binary({.path = std::string(base_name(path)), .build_id = {}});
      }
    }
    known[frame] = profile_.frames().intern(frames.text(frame), origin);
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
