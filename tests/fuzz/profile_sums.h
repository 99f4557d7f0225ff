// The sums of a profile, counted stack by stack, for fuzz targets that know the sums of their input.
#pragma once

#include <cstddef>
#include <vector>

#include "analysis/profile/profile.h"

namespace perfsift::test {

struct ProfileSums {
  analysis::Amount stacks, frameless;
};

// Also reads all frames.
inline ProfileSums sums_of(const analysis::Profile& profile) {
  ProfileSums sums;
  std::vector<analysis::FrameId> frames;
  for (const analysis::StackList& list : profile.lists()) {
    sums.frameless += list.frameless();
    for (const analysis::StackList::Entry& entry : list.entries()) {
      sums.stacks += entry.amount;
      profile.get_frames(entry, frames);
      if (profile.callers(entry.callers).event >= profile.events().size()) __builtin_trap();
      for (const analysis::FrameId frame : frames) {
        if (frame >= profile.frames().size()) __builtin_trap();
      }
    }
  }
  return sums;
}

}  // namespace perfsift::test
