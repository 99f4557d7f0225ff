#include "analysis/profile/profile.h"

#include <algorithm>
#include <set>

#include "base/copy_span.h"

namespace perfsift::analysis {

void StackList::add(EventId event, std::span<const FrameId> frames, const Amount& amount) {
  if (frames.empty()) return add_frameless(amount);
  add(add_callers(event, frames.first(frames.size() - 1)), frames.back(), amount);
}

void StackList::add(CallersId callers, FrameId leaf, const Amount& amount) {
  entries_.push_back({.callers = callers, .leaf = leaf, .amount = amount});
}

void StackList::set_samples(std::uint64_t weight) {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    Amount& amount = entries_[i].amount;
    const std::uint64_t rounded = amount.value / weight + (amount.value % weight >= weight - weight / 2 ? 1 : 0);
    amount.samples = amount.value == 0 ? 0 : std::max<std::uint64_t>(rounded, 1);
  }
}

void StackList::clear() {
  entries_.clear();
  callers_.clear();
}

CallersId StackList::add_callers(EventId event, std::span<const FrameId> frames) {
  callers_.push_back({.frames = copy_span(frames, frames_), .event = event});
  return {.list = number_, .index = static_cast<std::uint32_t>(callers_.size() - 1)};
}

StackList& Profile::new_list() {
  const std::lock_guard lock(mutex_);
  return lists_.emplace_back(static_cast<std::uint32_t>(lists_.size()));
}

void Profile::set_samples(std::uint64_t weight) {
  for (StackList& list : lists_) list.set_samples(weight);
}

std::uint32_t Profile::first_stack(std::size_t list) const {
  std::size_t stacks = 0;
  for (std::size_t i = 0; i < list; ++i) stacks += lists_[i].entries().size();
  return static_cast<std::uint32_t>(stacks);
}

std::vector<const StackList::Entry*> Profile::stacks() const {
  std::vector<const StackList::Entry*> stacks;
  stacks.reserve(stack_count());
  for (const StackList& list : lists_) {
    for (const StackList::Entry& entry : list.entries()) stacks.push_back(&entry);
  }
  return stacks;
}

EventId Profile::event(std::string_view name, const EventType& type) {
  const std::string frame = name.empty() ? no_event : foldable(name);
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(events_, frame);
  if (found != events_.end()) {
    const auto id = static_cast<EventId>(found - events_.begin());
    EventType& known = event_types_[id];
    if (known != type) known = {.unit = known.unit.empty() ? type.unit : known.unit, .count = {}, .value = {}};
    return id;
  }
  events_.push_back(frame);
  event_types_.push_back(type);
  event_frames_.push_back(frames_.intern(frame, {.kind = FrameKind::event}));
  return static_cast<EventId>(events_.size() - 1);
}

void Profile::get_frames(const StackList::Entry& stack, std::vector<FrameId>& frames) const {
  const Callers& below = callers(stack.callers);
  frames.assign(below.frames.begin(), below.frames.end());
  frames.push_back(stack.leaf);
}

void Profile::keep_events(std::span<const EventId> events) {
  std::vector<bool> kept(events_.size());
  for (const EventId event : events) kept[event] = true;
  for (StackList& list : lists_) {
    list.keep([&](const StackList::Entry& entry) { return kept[callers(entry.callers).event]; });
    list.clear_frameless();
  }
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
