#include "tools/profile/profile.h"

#include <algorithm>

#include "base/keep.h"

namespace perfsift::tools {

void StackList::add(EventId event, std::span<const FrameId> frames, std::uint64_t value) {
  add(event, keep(frames), {}, value);
}

void StackList::add(EventId event, std::span<const FrameId> outer, std::span<const FrameId> inner,
                    std::uint64_t value) {
  entries_.push_back({.outer = outer, .inner = keep(inner), .event = event, .value = value});
  total_frames_ += outer.size() + inner.size();
}

std::span<const FrameId> StackList::keep(std::span<const FrameId> frames) { return perfsift::keep(frames, frames_); }

StackList& Profile::new_list() {
  const std::lock_guard lock(mutex_);
  return lists_.emplace_back();
}

EventId Profile::event(std::string_view name) {
  const std::string frame = name.empty() ? "[no event]" : foldable(name);
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(events_, frame);
  if (found != events_.end()) return static_cast<EventId>(found - events_.begin());
  events_.push_back(frame);
  return static_cast<EventId>(events_.size() - 1);
}

std::vector<EventId> Profile::events_with_stacks() const {
  std::vector<bool> seen(events_.size());
  for (const StackList& list : lists_) {
    for (const StackList::Entry& entry : list.entries()) {
      if (entry.depth() != 0) seen[entry.event] = true;
    }
  }
  std::vector<EventId> with_stacks;
  for (EventId event = 0; event < seen.size(); ++event) {
    if (seen[event]) with_stacks.push_back(event);
  }
  return with_stacks;
}

}  // namespace perfsift::tools
