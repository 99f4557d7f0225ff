#include "analysis/profile/profile.h"

#include <algorithm>
#include <set>

#include "base/copy_span.h"

namespace perfsift::analysis {

void StackList::add(EventId event, std::span<const FrameId> frames, std::uint64_t value) {
  if (frames.empty()) return add_frameless(value);
  add(add_callers(event, frames.first(frames.size() - 1)), frames.back(), value);
}

void StackList::add(CallersId callers, FrameId leaf, std::uint64_t value) {
  entries_.push_back({.callers = callers, .leaf = leaf, .value = value});
}

CallersId StackList::add_callers(EventId event, std::span<const FrameId> frames) {
  callers_.push_back({.frames = copy_span(frames, frames_), .event = event});
  return {.list = number_, .index = static_cast<std::uint32_t>(callers_.size() - 1)};
}

StackList& Profile::new_list() {
  const std::lock_guard lock(mutex_);
  return lists_.emplace_back(static_cast<std::uint32_t>(lists_.size()));
}

EventId Profile::event(std::string_view name) {
  const std::string frame = name.empty() ? "[no event]" : foldable(name);
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(events_, frame);
  if (found != events_.end()) return static_cast<EventId>(found - events_.begin());
  events_.push_back(frame);
  return static_cast<EventId>(events_.size() - 1);
}

void Profile::get_frames(const StackList::Entry& stack, std::vector<FrameId>& frames) const {
  const Callers& below = callers(stack.callers);
  frames.assign(below.frames.begin(), below.frames.end());
  frames.push_back(stack.leaf);
}

std::vector<EventId> Profile::events_with_stacks() const {
  std::set<EventId> seen;
  for (const StackList& list : lists_) {
    for (const StackList::Entry& entry : list.entries()) {
      if (seen.size() == events_.size()) break;
      seen.insert(callers(entry.callers).event);
    }
  }
  return {seen.begin(), seen.end()};
}

}  // namespace perfsift::analysis
