#include "analysis/comparison/one_event.h"

#include <vector>

namespace perfsift::analysis {

void add_event(const Profile& profile, EventId event, Profile& one) {
  StackList& into = one.new_list();
  std::vector<FrameId> frames;
  for (const StackList& list : profile.lists()) {
    for (const StackList::Entry& entry : list.entries()) {
      if (profile.callers(entry.callers).event != event) continue;
      profile.get_frames(entry, frames);
      for (FrameId& frame : frames) frame = one.frames().intern_from(profile.frames(), frame);
      into.add(one.event(no_event), frames, entry.amount);
    }
  }
}

}  // namespace perfsift::analysis
